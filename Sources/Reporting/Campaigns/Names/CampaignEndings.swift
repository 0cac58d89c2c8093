/// Finds the campaigns that digits of a source identifier may belong to, without a look at every campaign.
///
/// The short forms of a source identifier are its last two or three digits, so that two forms of one campaign have the
/// last two digits in common. Source: Apple, "Receiving postbacks in multiple conversion windows".
package struct CampaignEndings<Element: Sendable>: Sendable {
  /// All elements, in the order in which they were added.
  package private(set) var elements: [Element] = []
  /// The places of the elements with these digits.
  private var places: [String: [Int32]] = [:]
  /// The places of the elements with more digits, of which these are the last.
  private var longer: [String: [Int32]] = [:]

  package init() {}

  package var isEmpty: Bool { elements.isEmpty }

  /// Adds an element under its digits; fewer than two are no form of a source identifier.
  package mutating func add(_ element: Element, digits: String) {
    let place = Int32(elements.count)
    elements.append(element)
    places[digits, default: []].append(place)
    guard digits.utf8.count > 2 else { return }
    for count in 2..<digits.utf8.count { longer[String(digits.suffix(count)), default: []].append(place) }
  }

  /// The places of the elements with these digits, in their order.
  package func places(of digits: String) -> [Int32] { places[digits] ?? [] }

  /// The places of the elements with more digits, of which these are the last, in their order.
  package func places(endingWith digits: String) -> [Int32] { longer[digits] ?? [] }

  /// The places of the elements whose digits are the last ones of these, or that have these as their last ones, in their
  /// order.
  package func fittingPlaces(_ digits: String) -> [Int32] {
    let count = digits.utf8.count
    guard count >= 2 else { return [] }
    var found = places(of: digits)
    found += places(endingWith: digits)
    for count in 2..<count { found += places(of: String(digits.suffix(count))) }
    return found.count > 1 ? found.sorted() : found
  }

  /// The elements at ``fittingPlaces(_:)``.
  package func fitting(_ digits: String) -> [Element] { fittingPlaces(digits).map { elements[Int($0)] } }
}
