import Arguments
import Gzip
import Intake
import JSONText
import Postbacks
import Signing
import System
import Values
import Verification

/// `skan sign`: makes signed postbacks with a throw-away key.
enum SignCommand {
  static let entry = Entry(command: command, run: run)

  enum Options {
    static let testKey = TypedOption<String?>.value("--test-key", "FILE", .path, "Key file to sign with.")
    static let newKey = TypedOption<String?>.value(
      "--new-key", "FILE", .path, "Key file to create, readable by its owner only.")
    static let publicKey = TypedOption<Bool>.flag(
      "--public-key", "Print the public key of --test-key for --trust-test-keys.")
    static let count = TypedOption<Int?>.value(
      "--count", "N", .integer(0...1_000_000_000), "Number of postbacks to generate.")
    static let seed = TypedOption<Int?>.value(
      "--seed", "S", .integer(0...(.max)), "Random seed.", defaultNote: "from the clock")
    static let version = TypedOption<ProtocolVersion?>.choice(
      "--version", "V", "Version of generated postbacks.", defaultNote: "all")
    static let network = TypedOption<[String]>.repeatable(
      "--network", "ID", .text, "Network of generated postbacks.", defaultNote: "random"
    )
    static let app = TypedOption<[Int]>.repeatable(
      "--app", "ID", .integer(1...(.max)), "Advertised app of generated postbacks.", defaultNote: "random")
    static let campaign = TypedOption<[Int]>.repeatable(
      "--campaign", "N", .integer(0...9999), "Source identifier of generated postbacks.",
      defaultNote: "random")
    static let gzip = TypedOption<Bool>.flag("--gzip", "Compress the output with gzip.")
  }

  static let command = Command(
    "sign", "Sign test postbacks with a test key, given or generated.",
    discussion: [
      "Test postbacks never count as Apple's: a daemon accepts them only with --trust-test-keys, and "
        + "counts them in the environment test.",
      "With --count, skan generates postbacks from a seed: the same seed and options give the same "
        + "fields. Signatures differ between runs, because ECDSA uses fresh randomness.",
    ],
    examples: [
      .init("Create a key", "skan sign --new-key key.json"),
      .init(
        "Print the public key for the daemon", "skan sign --test-key key.json --public-key > trusted.json"),
      .init("Sign given postbacks", "skan sign --test-key key.json unsigned.ndjson"),
      .init(
        "Generate a million postbacks",
        "skan sign --test-key key.json --count 1000000 --seed 7 --gzip > load.ndjson.gz"),
    ],
    positionals: [
      Positional(
        "FILE", .path, "File of unsigned postbacks; -: standard input.", isRequired: false,
        isRepeatable: true)
    ],
    options: [
      Options.testKey.option,
      Options.newKey.option,
      Options.publicKey.option,
      Options.count.option,
      Options.seed.option,
      Options.version.option,
      Options.network.option,
      Options.app.option,
      Options.campaign.option,
      Options.gzip.option,
    ])

  static func run(_ call: Invocation) throws -> ExitCode {
    let settings = call.settings
    if let path = call[Options.newKey] {
      guard call[Options.testKey] == nil, settings.positionals.isEmpty else {
        throw call.mistake("'--new-key' only creates a key; it takes no FILE and no '--test-key'.")
      }
      return try makeKey(path, call)
    }
    guard let path = call[Options.testKey] else {
      throw call.mistake(
        "The option '--test-key' is missing.", hint: "Create a key with '--new-key FILE' first.")
    }
    let trusted = try Invocation.keys(in: path)
    if call[Options.publicKey] {
      call.console.write(KeyFile.text(of: trusted, includingPrivateKeys: false))
      return .done
    }
    let keys = try SigningKeys(trusted)
    guard !keys.keys.isEmpty else {
      throw CommandError(
        .data, "there is no private key in '\(path)'", remedy: "create a key with `skan sign --new-key FILE`")
    }
    if call[Options.gzip], call.console.output.isTerminal {
      throw call.mistake(
        "Standard output is a terminal, and '--gzip' writes compressed bytes.",
        hint: "Redirect the output to a file.")
    }
    switch (call[Options.count], settings.positionals.isEmpty) {
    case (let count?, true): return try SigningRun(keys, call).makeUp(count)
    case (nil, false): return try SigningRun(keys, call).sign(settings.positionals)
    case (nil, true): throw call.mistake("There is nothing to sign.", hint: "Give a FILE, or '--count N'.")
    case (_?, false): throw call.mistake("'--count' generates postbacks; it takes no FILE.")
    }
  }

  private static func makeKey(_ path: String, _ call: Invocation) throws -> ExitCode {
    let text = KeyFile.text(of: try SigningKeys.generate().keys, includingPrivateKeys: true)
    try AtomicFile.write(Array(text.utf8), to: path, mode: 0o600, replacesExisting: false)
    call.console.note("wrote a new test key to '\(path)'; only its owner can read it")
    return .done
  }
}

/// One run of `skan sign`: the postbacks go in, the signed ones come out as NDJSON in the same order.
private struct SigningRun {
  private typealias Options = SignCommand.Options

  private static let batchSize = 256

  private struct Product: Sendable {
    var text: [UInt8] = []
    var problems: [String] = []
  }

  private struct Batch: Sendable {
    let first: Int
    let bodies: [[UInt8]]
  }

  private let call: Invocation
  private let problems = Guarded<[String]>([])
  private let packed: PackedOutput
  private let pool: OrderedWorkQueue<Batch, Product>

  init(_ keys: SigningKeys, _ call: Invocation) throws(ThreadError) {
    self.call = call
    let problems = problems
    let packed = PackedOutput(call.console, isPacked: call[Options.gzip])
    self.packed = packed
    pool = try OrderedWorkQueue { batch in
      var product = Product()
      for (offset, body) in batch.bodies.enumerated() {
        do throws(SigningError) {
          product.text += try keys.sign(body) + [UInt8(ascii: "\n")]
        } catch {
          product.problems.append("cannot sign postback \(batch.first + offset): \(error)")
        }
      }
      return product
    } deliver: { product, isLastForNow in
      packed.write(product.text, flushes: isLastForNow)
      problems.withLock { $0 += product.problems }
    }
  }

  func sign(_ paths: [String]) throws -> ExitCode {
    var count = 0
    var obstacle: CommandError?
    do {
      for path in paths {
        let file = try InputFile(path, on: call.console)
        var splitter = DocumentSplitter()
        while let bytes = try file.next() { add(splitter.append(bytes), &count) }
        add(splitter.finish(), &count)
      }
    } catch {
      obstacle = CommandError(error)
    }
    return try finish(obstacle)
  }

  func makeUp(_ count: Int) throws -> ExitCode {
    let seed = call[Options.seed].map { UInt64($0) } ?? UInt64(wallMicroseconds()) % 1_000_000
    call.console.note("seed \(seed)")
    var cast = PostbackGenerator.Cast()
    let networks = call[Options.network]
    let apps = call[Options.app].map { Int64($0) }
    let campaigns = call[Options.campaign]
    if !networks.isEmpty { cast.networks = networks }
    if !apps.isEmpty { cast.apps = apps }
    if !campaigns.isEmpty { cast.campaigns = campaigns }
    let version = call[Options.version]
    var generator = PostbackGenerator(seed: seed, cast: cast)
    var progress = Progress("sign", unit: "postbacks", total: count, on: call.console)
    var done = 0
    while done < count, call.console.output.state == .open {
      let size = min(Self.batchSize, count - done)
      let bodies = (0..<size).map { _ in (version.map { generator.next($0) } ?? generator.next()).bytes() }
      add(bodies, &done)
      progress.advance(to: done)
    }
    progress.finish()
    return try finish(nil)
  }

  private func add(_ bodies: [[UInt8]], _ count: inout Int) {
    for start in stride(from: 0, to: bodies.count, by: Self.batchSize) {
      let batch = Array(bodies[start..<min(start + Self.batchSize, bodies.count)])
      pool.add(Batch(first: count, bodies: batch))
      count += batch.count
    }
  }

  private func finish(_ obstacle: CommandError?) throws -> ExitCode {
    pool.finish()
    packed.finish()
    call.console.output.flush()
    let problems = problems.withLock { $0 }
    for problem in problems.prefix(20) { call.console.problem(problem) }
    if problems.count > 20 { call.console.problem("\(problems.count - 20) more could not be signed") }
    if let obstacle { throw obstacle }
    return problems.isEmpty ? .done : .data
  }
}

/// Standard output, packed with gzip where asked for; only the delivering thread writes to it.
private final class PackedOutput: Sendable {
  private let console: Console
  private let writer: Guarded<GzipWriter?>

  init(_ console: Console, isPacked: Bool) {
    self.console = console
    writer = Guarded(isPacked ? GzipWriter { console.write($0) } : nil)
  }

  func write(_ bytes: [UInt8], flushes: Bool) {
    let isPacked = writer.withLock { writer in
      guard var packer = writer.take() else { return false }
      // The sink is the console, which keeps its failures to itself.
      try? packer.write(bytes)
      writer = consume packer
      return true
    }
    if isPacked { return }
    console.write(bytes)
    if flushes { console.output.flush() }
  }

  func finish() {
    writer.withLock { writer in
      if let packer = writer.take() { try? packer.finish() }
    }
  }
}
