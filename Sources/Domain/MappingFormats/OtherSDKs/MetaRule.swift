package import JSONText
package import Values

/// An event that one of Meta's rules asks for.
package struct MetaEvent: Equatable, Sendable {
  package let name: String
  /// An amount for each currency, in capital letters.
  ///
  /// One of them is enough; `nil` where the event alone counts.
  package let amounts: [String: Amount]?

  /// Reads an event; `nil` where Meta's SDK rejects it.
  package init?(_ node: JSONNode) {
    guard let object = node.value.object, let name = object["event_name"]?.value.string, !name.isEmpty else {
      return nil
    }
    self.name = name
    guard let values = object["values"] else {
      amounts = nil
      return
    }
    guard let elements = values.value.array else { return nil }
    var amounts: [String: Amount] = [:]
    for element in elements {
      guard let currency = element.value.object?["currency"]?.value.string,
        let number = element.value.object?["amount"]?.value.number,
        let amount = try? Amount(decimal: number.text)
      else { return nil }
      amounts[currency.uppercased()] = amount
    }
    self.amounts = amounts
  }

  /// Reads the events of a rule; `nil` when there are none or one is rejected.
  static func list(_ node: JSONNode?) -> [MetaEvent]? {
    guard let elements = node?.value.array, !elements.isEmpty else { return nil }
    let events = elements.compactMap { MetaEvent($0) }
    return events.count == elements.count ? events : nil
  }
}

/// A rule of Meta's SDK for a value of SKAdNetwork.
package struct MetaRule<Value: Hashable & Sendable>: Equatable, Sendable {
  package let value: Value
  /// The events that have to have happened, all of them.
  package let events: [MetaEvent]
}

extension MetaRule<Int> {
  /// Reads a rule for a fine value; `nil` where Meta's SDK rejects it.
  package init?(_ node: JSONNode) {
    guard let object = node.value.object, let value = object["conversion_value"]?.value.number?.integer,
      let events = MetaEvent.list(object["events"])
    else { return nil }
    self.init(value: Int(value), events: events)
  }

  /// Reads rules in the order in which they are tried: the highest value first, without those that are rejected.
  package static func list(_ elements: [JSONNode]) -> [MetaRule<Int>] {
    elements.compactMap { MetaRule<Int>($0) }.sorted { $0.value > $1.value }
  }
}
