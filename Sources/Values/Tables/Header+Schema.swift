package import JSONText
import Values

extension [Header] {
  /// The JSON Schema of a row as ``Format/json`` and ``Format/ndjson`` print it.
  package func rowSchema(requiresAll: Bool = true, describing: Bool = true) -> JSONOutput {
    let shown = filter(Format.json.shows)
    let fixed = shown.filter { !$0.isFamily }
    let families = shown.filter(\.isFamily)
    let required = fixed.filter { !$0.isOnRequest && $0.presence != .onRequestWithTotal }.flatMap(\.fields)
    var members: [JSONOutput.Member] = [.init("type", "object"), .init("additionalProperties", false)]
    if requiresAll { members.append(.init("required", .array(required.map { .string($0) }))) }
    members += [
      .init(
        "properties",
        .object(fixed.flatMap { header in header.fields.map { .init($0, header.schema(describing)) } }))
    ]
    if !families.isEmpty {
      members.append(
        .init(
          "patternProperties",
          .object(
            families.flatMap { header in
              header.fields.map { .init(Self.pattern($0), header.schema(describing)) }
            })
        ))
    }
    return .object(members)
  }

  func totalSchema(requiresAll: Bool = true, describing: Bool = true) -> JSONOutput {
    filter { !$0.isOnRequest }.rowSchema(requiresAll: requiresAll, describing: describing)
  }

  private static func pattern(_ family: String) -> String {
    "^" + family.split(separator: "{}", omittingEmptySubsequences: false).joined(separator: ".+") + "$"
  }
}

extension Header {
  /// - Parameter isDescribed: Whether it has the column's explanation.
  fileprivate func schema(_ isDescribed: Bool) -> JSONOutput {
    let (type, more) = kind.schema(isDescribed)
    // A bound can be missing although the interval is there.
    let isNullable = if case .interval = kind { true } else { isOptional }
    let words: [JSONOutput.Member] = isDescribed ? [.init("description", .string(help.english))] : []
    return .object([.init("type", isNullable ? [type, "null"] : type)] + words + more)
  }
}

extension ColumnKind {
  fileprivate func schema(_ isDescribed: Bool) -> (type: JSONOutput, more: [JSONOutput.Member]) {
    switch self {
    case .count: ("integer", [])
    case .share: ("number", [.init("minimum", 0), .init("maximum", 1)])
    case .expectedCount, .change, .ratio, .money, .interval: ("number", [])
    case .time: ("string", [.init("format", "date-time")])
    case .day: ("string", [.init("format", "date")])
    case .identifier, .text: ("string", [])
    case .words: ("array", [.init("items", ["type": "string"])])
    case .flag: ("boolean", [])
    case .records(let headers): ("array", [.init("items", headers.rowSchema(describing: isDescribed))])
    }
  }
}
