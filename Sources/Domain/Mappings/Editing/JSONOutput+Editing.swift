import JSONText
import Values

extension JSONOutput {
  /// A member of an object; setting `nil` removes it.
  subscript(name: String) -> JSONOutput? {
    get {
      guard case .object(let members) = self else { return nil }
      return members.first { $0.name == name }?.value
    }
    set {
      guard case .object(var members) = self else { return }
      let place = members.firstIndex { $0.name == name }
      switch (place, newValue) {
      case (let place?, let value?): members[place] = Member(name, value)
      case (let place?, nil): members.remove(at: place)
      case (nil, let value?): members.append(Member(name, value))
      case (nil, nil): break
      }
      self = .object(members)
    }
  }

  /// The elements of an array; none of anything else.
  var elements: [JSONOutput] {
    get { if case .array(let elements) = self { elements } else { [] } }
    set { self = .array(newValue) }
  }

  var text: String? { if case .string(let text) = self { text } else { nil } }

  /// The amount of a number, or of a text that is one.
  var amount: Amount? {
    switch self {
    case .number(let number): try? Amount(decimal: number.text)
    case .integer(let integer): try? Amount(decimal: "\(integer)")
    case .string(let text): try? Amount(decimal: text)
    case .null, .bool, .array, .object: nil
    }
  }

  /// A whole number that values can be counted with.
  var whole: Int? {
    let number: Int64? =
      switch self {
      case .integer(let integer): integer
      case .number(let number): number.integer
      default: nil
      }
    return number.flatMap { (0...1 << 20).contains($0) ? Int($0) : nil }
  }

  mutating func append(_ value: JSONOutput, to list: String) {
    self[list] = .array((self[list]?.elements ?? []) + [value])
  }

  /// Removes an element, and the list where fewer than `least` would be left.
  mutating func remove(_ index: Int, of list: String, least: Int) {
    guard var elements = self[list]?.elements, elements.indices.contains(index) else { return }
    elements.remove(at: index)
    self[list] = elements.count < least ? nil : .array(elements)
  }

  mutating func exchange(_ one: Int, _ other: Int, of list: String) -> Bool {
    guard var elements = self[list]?.elements, elements.indices.contains(one),
      elements.indices.contains(other)
    else { return false }
    elements.swapAt(one, other)
    self[list] = .array(elements)
    return true
  }
}

extension Amount {
  /// A round amount between this one and a greater one, or above this one; `nil` where there is none.
  func between(_ next: Amount?) -> Amount? {
    guard let next else {
      let above = micros > 0 ? micros.multipliedHeld(by: 2) : micros.addingHeld(1_000_000)
      return above < .max ? Amount(micros: above) : nil
    }
    let middle = self.middle(to: next)
    guard middle > micros, middle < next.micros else { return nil }
    // The roundest amount of those that are strictly between.
    for unit: Int64 in [
      100_000_000, 10_000_000, 5_000_000, 1_000_000, 500_000, 100_000, 50_000, 10_000, 1000, 1,
    ] {
      let rounded = middle - middle % unit
      if rounded > micros, rounded < next.micros { return Amount(micros: rounded) }
    }
    return Amount(micros: middle)
  }

  /// A whole hour between two, or a day behind this one; `nil` where there is none.
  func hourBetween(_ next: Amount?) -> Amount? {
    let hour: Int64 = 1_000_000
    guard let next else {
      let (later, isTooLarge) = micros.addingReportingOverflow(24 * hour)
      return isTooLarge ? nil : Amount(micros: later)
    }
    let middle = self.middle(to: next) / hour * hour
    return middle > micros && middle < next.micros ? Amount(micros: middle) : nil
  }

  private func middle(to next: Amount) -> Int64 { Int64((Int128(micros) + Int128(next.micros)) / 2) }

  /// The amount as the sort of value that its neighbour is.
  func json(like other: JSONOutput) -> JSONOutput { other.text == nil ? json : .string(description) }
}
