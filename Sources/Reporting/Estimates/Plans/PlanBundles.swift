/// Campaigns that are too small by themselves, put together until they are large enough.
struct PlanBundles {
  /// The places of the campaigns that become one, for each bundle of two or more.
  private(set) var groups: [[Int]] = []

  /// Begins each bundle with the largest campaign that is left and fills it with the smallest ones, which leaves many bundles
  /// and so many campaigns that can still be distinguished.
  ///
  /// Source: Csirik, Frenk, Labbé and Zhang, "Two simple algorithms for bin covering", 1999.
  ///
  /// - Parameters:
  ///   - small: The places of campaigns of one app and network.
  ///   - size: The installs a day of a campaign.
  ///   - enough: The installs a day that a bundle shall have.
  init(_ small: [Int], size: (Int) -> Double, enough: Double) {
    var left = small.sorted { (size($0), $1) < (size($1), $0) }[...]
    while let largest = left.popLast() {
      var bundle = [largest]
      var sum = size(largest)
      while sum < enough, let next = left.popFirst() {
        bundle.append(next)
        sum += size(next)
      }
      // What is left may be too small even together.
      if sum < enough, !groups.isEmpty { groups[groups.count - 1] += bundle } else { groups.append(bundle) }
    }
    groups.removeAll { $0.count < 2 }
  }
}
