/// Finds the campaigns that digits of a source identifier may belong to, without a look at every campaign.
///
/// The short forms of a source identifier are its last two or three digits, so that two forms of one campaign have the
/// last two digits in common. Source: Apple, "Receiving postbacks in multiple conversion windows".
package struct CampaignEndings<Element: Sendable>: Sendable {
  package init() {}
  private var elements: [Substring: [(digits: String, element: Element)]] = [:]

  /// Adds an element under its digits; fewer than two are no form of a source identifier and are left out.
  package mutating func add(_ element: Element, digits: String) {
    guard digits.utf8.count >= 2 else { return }
    elements[digits.suffix(2), default: []].append((digits, element))
  }

  /// The elements whose digits are the last ones of these, or that have these as their last ones, in the order in
  /// which they were added.
  package func fitting(_ digits: String) -> [(digits: String, element: Element)] {
    guard digits.utf8.count >= 2 else { return [] }
    return (elements[digits.suffix(2)] ?? []).filter {
      $0.digits.hasSuffix(digits) || digits.hasSuffix($0.digits)
    }
  }
}
