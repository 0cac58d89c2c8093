import EventFiles
import System
import Values

/// The measurements that `tools/measure/bench` can't make from outside; each prints JSON.
@main
struct Main {
  static func main() {
    do {
      try run(Array(CommandLine.arguments.dropFirst()))
    } catch let error as EventFileError {
      fail("line \(error.line): \(error.sentence)\(error.cure.map { "; \($0)" } ?? "")")
    } catch {
      fail("\(error)")
    }
  }

  private static func fail(_ text: String) -> Never {
    let errors = Console.standard().errors
    errors.write(Array("skan-bench: \(text)\n".utf8))
    errors.flush()
    exitProcess(.data)
  }

  private static func run(_ words: [String]) throws {
    switch (words.first, words.count) {
    case ("verify", 5):
      guard let seconds = Double(words[3]), let threads = Int(words[4]), threads > 0 else {
        throw BenchError.usage
      }
      try VerifyBench(keyFile: words[1], bodies: words[2]).run(seconds: seconds, threads: threads)
    case ("unit", 5):
      guard let seconds = Double(words[3]), let threads = Int(words[4]), threads > 0 else {
        throw BenchError.usage
      }
      try VerifyBench(keyFile: words[1], bodies: words[2]).unit(seconds: seconds, threads: threads)
    case ("signature", 2):
      guard let rounds = Int(words[1]), rounds > 0 else { throw BenchError.usage }
      try SignatureBench().run(rounds: rounds)
    case ("insert", 3...):
      let sizes = words.dropFirst(2).compactMap { Int($0) }
      var bench = InsertBench(path: words[1])
      try bench.run(sizes: sizes, sample: 100_000)
    case ("campaigns", 3...):
      let sizes = words.dropFirst(2).compactMap { Int($0) }
      guard sizes.count == words.count - 2, sizes.allSatisfy({ $0 > 0 }) else { throw BenchError.usage }
      try CampaignBench(folder: words[1]).run(sizes: sizes)
    case ("facts", 3), ("facts", 5):
      let numbers = words.dropFirst(2).compactMap { Int($0) }
      guard numbers.count == words.count - 2, numbers[0] > 0 else { throw BenchError.usage }
      var bench = FactsBench(path: words[1])
      if numbers.count == 3 {
        guard (1...10_000_000).contains(numbers[1]), (1...3650).contains(numbers[2]) else {
          throw BenchError.usage
        }
        bench = FactsBench(path: words[1], campaigns: numbers[1], days: numbers[2])
      }
      try bench.run(rows: numbers[0])
    case ("world", 5), ("world", 6):
      let numbers = words.dropFirst(2).compactMap { Int($0) }
      guard numbers.count == words.count - 2, numbers[0] > 0, (1...1_000_000).contains(numbers[1]),
        (7...3650).contains(numbers[2])
      else { throw BenchError.usage }
      let seed = UInt64(bitPattern: Int64(numbers.count == 4 ? numbers[3] : 1))
      try WorldBench(path: words[1], rows: numbers[0], campaigns: numbers[1], days: numbers[2], seed: seed)
        .run()
    case ("simulate", 3) where words[1] == "--users":
      guard let users = Int(words[2]), users > 0 else { throw BenchError.usage }
      try SimulateBench().run(users: users)
    case ("editor", 4):
      let numbers = words.dropFirst().compactMap { Int($0) }
      guard numbers.count == 3, numbers[0] > 0, numbers[1] > 0, numbers[2] >= 0 else {
        throw BenchError.usage
      }
      try EditorBench(events: numbers[0], edits: numbers[1], seed: UInt64(numbers[2])).run()
    case ("events", 2), ("events", 3):
      let budget = words.count == 3 ? Int(words[2]) : nil
      guard words.count == 2 || budget.map({ (0...1 << 20).contains($0) }) == true else {
        throw BenchError.usage
      }
      try EventsBench(path: words[1], budget: budget).run()
    case ("app-mapping", 2):
      guard let rounds = Int(words[1]), rounds > 0 else { throw BenchError.usage }
      try AppMappingBench().run(rounds: rounds)
    case ("journal", 3):
      guard let batches = Int(words[2]), batches > 0 else { throw BenchError.usage }
      var bench = JournalBench(address: words[1])
      for rows in [1, 8, 64, 512] { try bench.run(batches: batches, rowsOfEach: rows) }
    case ("nulls", 4):
      let numbers = words.dropFirst().compactMap { Int($0) }
      guard numbers.count == 3, numbers.allSatisfy({ (0...100_000).contains($0) }) else {
        throw BenchError.usage
      }
      NullBench(first: numbers[0], changeSeeds: numbers[1], thresholdSeeds: numbers[2]).run()
    case ("experiments", 3):
      let numbers = words.dropFirst().compactMap { Int($0) }
      guard numbers.count == 2, numbers.allSatisfy({ (0...100_000).contains($0) }) else {
        throw BenchError.usage
      }
      ExperimentBench(first: numbers[0], runs: numbers[1]).run()
    case ("patterns", 3):
      let numbers = words.dropFirst().compactMap { Int($0) }
      guard numbers.count == 2, numbers.allSatisfy({ (0...100_000).contains($0) }) else {
        throw BenchError.usage
      }
      PatternBench(first: numbers[0], worlds: numbers[1]).run()
    case ("accuracy", 2...): try AccuracyBench(options: AccuracyOptions(words.dropFirst())).run()
    case ("causes", 2...): try CausesBench(options: AccuracyOptions(words.dropFirst())).run()
    case ("returns", 2...): try ReturnBench(options: AccuracyOptions(words.dropFirst())).run()
    case ("plans", 2...): try PlanBench(options: AccuracyOptions(words.dropFirst())).run()
    case ("changeovers", 2...): try ChangeoverBench(options: AccuracyOptions(words.dropFirst())).run()
    case ("designer", 2...): try DesignerBench(options: AccuracyOptions(words.dropFirst())).run()
    case ("horizons", 2...): try HorizonBench(options: AccuracyOptions(words.dropFirst())).run()
    case ("proceeds", 3...):
      try ProceedsBench(folder: words[1], options: AccuracyOptions(words.dropFirst(2))).run()
    case ("split", 2...): try SplitBench(options: AccuracyOptions(words.dropFirst())).run()
    default: throw BenchError.usage
    }
  }
}

/// A benchmark that can't run.
enum BenchError: Error, CustomStringConvertible {
  case usage
  case noPostbacks
  case noUsers

  var description: String {
    switch self {
    case .usage:
      """
      usage: skan-bench verify KEYFILE POSTBACKS SECONDS THREADS | unit KEYFILE POSTBACKS SECONDS THREADS \
      | signature ROUNDS | insert DATABASE ROWS... \
      | campaigns FOLDER ROWS... | facts DATABASE ROWS [CAMPAIGNS DAYS] \
      | world DATABASE POSTBACKS CAMPAIGNS DAYS [SEED] \
      | simulate --users N | events FILE [MEGABYTES] | editor EVENTS EDITS SEED | app-mapping ROUNDS \
      | journal ADDRESS BATCHES \
      | nulls FIRST-SEED SEEDS-OF-CHANGES SEEDS-OF-THRESHOLDS | experiments FIRST-SEED RUNS \
      | patterns FIRST-SEED APPS \
      | accuracy FILE [--campaigns N] [--seeds N] [--hours N] [--codes N] [--draws N] [--threads N] \
      | split FILE [--campaigns N] [--seeds N] [--first-seed N] [--draws N] [--rounds N] [--threads N] \
      [--scenarios N,A,B] [--mapping WORD] | horizons FILE [--campaigns N] [--seeds N] [--first-seed N] [--threads N] \
      [--mapping WORD] | proceeds FOLDER FILE [--seeds N] [--first-seed N] [--threads N] [--mapping WORD] \
      | designer FILE [--campaigns N] [--seeds N] [--first-seed N] [--threads N] \
      | changeovers FILE [--seeds N] [--first-seed N] [--threads N] \
      | causes FOLDER [--seeds N] [--first-seed N] [--threads N] \
      | plans FOLDER [--seeds N] [--first-seed N] [--threads N] \
      | returns FOLDER [--seeds N] [--first-seed N] [--threads N]
      """
    case .noPostbacks: "the file holds no valid postback of SKAdNetwork 2.1 or later"
    case .noUsers: "the file holds no users"
    }
  }
}

/// A figure with two decimals.
func hundredths(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }
