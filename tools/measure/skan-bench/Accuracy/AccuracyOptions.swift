/// What the accuracy experiment is asked to do.
struct AccuracyOptions: Sendable {
  /// The events file.
  var path = ""
  /// Campaigns of each simulated app.
  var campaigns = 240
  /// How many times everything is made anew.
  var seeds = 10
  /// Revenue counts until so many hours after install.
  var hours = 72
  /// Codes at most; the highest is one of few users.
  var codes = 64
  /// Draws behind each interval.
  var draws = 200
  /// How often the campaigns for the recalibration of intervals are generated.
  var rounds = 2
  /// The first seed.
  var firstSeed = 0
  /// The scenarios of a split trial.
  var scenarios = ["N", "A", "B"]
  /// The mapping of a split trial; `nil` for all.
  var kind: SplitTrial.Kind?
  /// Threads.
  var threads = 2

  /// Reads the words after `accuracy`.
  ///
  /// - Throws: ``BenchError/usage`` for words that are none of the options.
  init(_ words: ArraySlice<String>) throws {
    var left = words
    func whole(_ range: ClosedRange<Int>) throws -> Int {
      guard let word = left.popFirst(), let number = Int(word), range.contains(number) else {
        throw BenchError.usage
      }
      return number
    }
    while let word = left.popFirst() {
      switch word {
      case "--campaigns": campaigns = try whole(2...10_000)
      case "--seeds": seeds = try whole(1...1000)
      case "--hours": hours = try whole(1...1440)
      case "--codes": codes = try whole(2...64)
      case "--draws": draws = try whole(10...10_000)
      case "--threads": threads = try whole(1...256)
      case "--rounds": rounds = try whole(1...10)
      case "--first-seed": firstSeed = try whole(0...1_000_000)
      case "--scenarios":
        guard let word = left.popFirst() else { throw BenchError.usage }
        scenarios = word.split(separator: ",").map(String.init)
      case "--mapping":
        guard let kind = left.popFirst().flatMap(SplitTrial.Kind.init) else { throw BenchError.usage }
        self.kind = kind
      default:
        guard path.isEmpty, !word.hasPrefix("-") else { throw BenchError.usage }
        path = word
      }
    }
    guard !path.isEmpty else { throw BenchError.usage }
  }
}
