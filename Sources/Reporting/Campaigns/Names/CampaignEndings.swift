/// Finds the campaigns that digits of a source identifier may belong to, without a look at every campaign.
///
/// The short forms of a source identifier are its last two or three digits, so that two forms of one campaign have the
/// last two digits in common. Source: Apple, "Receiving postbacks in multiple conversion windows".
package struct CampaignEndings<Element: Sendable>: Sendable {
  /// All elements, in the order in which they were added.
  package private(set) var elements: [Element] = []
  /// The digits of each.
  private(set) var digits: [String] = []
  /// The places of the elements by their digits.
  private var exact = PlaceIndex()
  /// The places of the elements by their last digits.
  private var longer = PlaceIndex()

  package init() {}

  package var isEmpty: Bool { elements.isEmpty }

  /// The memory that it takes, but for what its elements refer to.
  var bytes: Int {
    elements.capacity * MemoryLayout<Element>.stride + digits.capacity * MemoryLayout<String>.stride
      + exact.bytes + longer.bytes
  }

  /// Adds an element under its digits; fewer than two are no form of a source identifier.
  package mutating func add(_ element: Element, digits: String) {
    let place = Int32(elements.count)
    elements.append(element)
    self.digits.append(digits)
    exact.add(place, as: digits)
    guard digits.utf8.count > 2 else { return }
    for count in 2..<digits.utf8.count { longer.add(place, as: String(digits.suffix(count))) }
  }

  /// The places of the elements with these digits, in their order.
  package func places(of digits: String) -> [Int32] {
    exact.places(of: digits) { self.digits[Int($0)] == digits }
  }

  /// The places of the elements with more digits, of which these are the last, in their order.
  package func places(endingWith digits: String) -> [Int32] {
    let count = digits.count
    return longer.places(of: digits) { self.digits[Int($0)].suffix(count) == digits }
  }

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
