/// How often own users ended with each value under each version of a mapping.
///
/// A value that many users have under one version and few under another, because its range or the measurement window is
/// another one, was more likely sent under the former.
struct ValueFrequencies: Sendable {
  /// How many own users a version that has as many users of a value as all together weighs as much as.
  private static let trust = 2.0

  /// Own users by value, of each version.
  private let counts: [[Int: Double]]
  private let totals: [Double]

  init(_ versions: [FinalHours?]) {
    counts = versions.map { users in
      Dictionary(
        uniqueKeysWithValues: Set((users?.counts ?? []).map(\.value)).map { ($0, users?.count(of: $0) ?? 0) })
    }
    totals = versions.map { $0?.total ?? 0 }
  }

  /// How much more often users have a value under each version than under all of them together.
  ///
  /// Gamma's law around 1 with the weight of ``trust`` users: without own users of a version the value is as frequent under
  /// it as under the others.
  ///
  /// - Parameter versions: The versions; `nil` for the time before the first, of which nothing is known.
  /// - Returns: A factor for each version, above 0.
  func factors(of value: Int, in versions: [Int?]) -> [Double] {
    let known = versions.compactMap(\.self)
    let all = known.reduce(0) { $0 + totals[$1] }
    let share = all > 0 ? known.reduce(0) { $0 + (counts[$1][value] ?? 0) } / all : 0
    return versions.map { version in
      guard let version else { return 1 }
      return ((counts[version][value] ?? 0) + Self.trust) / (totals[version] * share + Self.trust)
    }
  }
}
