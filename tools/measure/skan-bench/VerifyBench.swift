import OpenSSL
import Postbacks
import System
import Values
import Verification

/// Measures the CPU time of one signature check, and of reading and checking one postback.
struct VerifyBench {
  private struct Sample: Sendable {
    let body: [UInt8]
    let message: [UInt8]
    let signature: [UInt8]
  }

  private let keyring: Keyring
  private let spki: [UInt8]
  private let samples: [Sample]

  init(keyFile: String, bodies: String) throws {
    let keys = try KeyFile.read(try FileReader.contents(of: keyFile))
    keyring = try Keyring(trusting: keys)
    let text = try FileReader.contents(of: bodies)
    samples = text.split(separator: UInt8(ascii: "\n")).prefix(20_000).compactMap { line in
      let body = Array(line)
      guard case .skan(let postback) = PostbackReading(body).postback, let text = postback.signature,
        let signature = Base64.decode(Array(text.utf8))
      else { return nil }
      return Sample(body: body, message: postback.signedMessage, signature: signature)
    }
    guard let key = keys.first(where: { $0.use == .skan && $0.curve == .p256 }), !samples.isEmpty else {
      throw BenchError.noPostbacks
    }
    spki = key.spki
  }

  func run(seconds: Double, threads: Int) throws {
    let evp = KeyBox(try PublicKey(spki: spki, arithmetic: .evp))
    let used = KeyBox(try PublicKey(spki: spki))
    let keyring = keyring
    _ = used.key.prepare()
    keyring.prepare()
    let evpTime = try measure(seconds, threads) { evp.key.isValid(signature: $0.signature, for: $0.message) }
    let usedTime = try measure(seconds, threads) {
      used.key.isValid(signature: $0.signature, for: $0.message)
    }
    let judgeTime = try measure(seconds, threads) { keyring.judge($0.body).state == .valid }
    print(
      """
      {"evp":\(hundredths(evpTime)),"check":\(hundredths(usedTime)),"judge":\(hundredths(judgeTime))}
      """)
  }

  /// Measures the unit of all ratios, OpenSSL's own verify, and the same check with a table of the key's multiples.
  func unit(seconds: Double, threads: Int) throws {
    let evp = KeyBox(try PublicKey(spki: spki, arithmetic: .evp))
    let used = KeyBox(try PublicKey(spki: spki))
    _ = used.key.prepare()
    let evpTime = try measure(seconds, threads) { evp.key.isValid(signature: $0.signature, for: $0.message) }
    let usedTime = try measure(seconds / 2, threads) {
      used.key.isValid(signature: $0.signature, for: $0.message)
    }
    print("{\"evp\":\(hundredths(evpTime)),\"check\":\(hundredths(usedTime))}")
  }

  /// The CPU microseconds of one check, with that many threads checking all the time.
  private func measure(
    _ seconds: Double, _ threads: Int, _ check: @escaping @Sendable (Sample) -> Bool
  ) throws -> Double {
    let samples = samples
    let end = wallMicroseconds() + seconds * 1e6
    let checks = Guarded(0)
    let before = processMicroseconds()
    let workers = try (0..<threads).map { _ in
      try Worker {
        var done = 0
        while wallMicroseconds() < end {
          for sample in samples[(done % samples.count)...].prefix(64) where check(sample) { done += 1 }
        }
        checks.withLock { $0 += done }
      }
    }
    for worker in workers { worker.join() }
    return (processMicroseconds() - before) / Double(checks.withLock { $0 })
  }
}

/// Lets several threads ask one key.
private final class KeyBox: Sendable {
  let key: PublicKey
  init(_ key: consuming PublicKey) { self.key = key }
}
