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
  /// Campaigns are made of one half of the users, and estimators know the other half.
  var isSplit = false
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
      case "--split": isSplit = true
      default:
        guard path.isEmpty, !word.hasPrefix("-") else { throw BenchError.usage }
        path = word
      }
    }
    guard !path.isEmpty else { throw BenchError.usage }
  }
}
