package import Values

extension Sentence {
  /// What it is stored as; a sentence without arguments has its English alone.
  ///
  /// ```json
  /// {"english":"no copy of 'acme'","key":"no copy of '{}'","arguments":[{"name":"acme"}]}
  /// ```
  package var json: JSONOutput {
    let english = JSONOutput.Member("english", .string(english))
    guard key != self.english || !arguments.isEmpty else { return .object([english]) }
    return .object([
      english, .init("key", .string(key)), .init("arguments", .array(arguments.map(\.json))),
    ])
  }

  /// Reads what it was stored as; `nil` for another text.
  package init?(json text: String) {
    guard let node = try? JSONReader.read(Array(text.utf8)), let sentence = try? Sentence(JSONPlace(node))
    else { return nil }
    self = sentence
  }

  fileprivate init(_ place: JSONPlace) throws(JSONProblem) {
    let members = try place.members(
      JSONForm("a sentence", required: ["english"], optional: ["key", "arguments"]))
    let english = try members.required("english").words()
    self.init(
      key: try members["key"]?.words() ?? english, arguments: try members["arguments"]?.arguments() ?? [],
      english: english)
  }
}

extension Sentence.Argument {
  fileprivate var json: JSONOutput {
    switch self {
    case .count(let count, let isGrouped): [(isGrouped ? "grouped" : "count"): .integer(count)]
    case .number(let number): ["number": .string(number)]
    case .day(let day): ["day": .string("\(day)")]
    case .sentence(let sentence): ["sentence": sentence.json]
    case .name(let name): ["name": .string(name)]
    }
  }
}

extension JSONPlace {
  /// A text, which can be empty.
  fileprivate func words() throws(JSONProblem) -> String {
    guard let text = node.value.string else { throw wrongType(Sentence("a string"), .text) }
    return text
  }

  fileprivate func arguments() throws(JSONProblem) -> [Sentence.Argument] {
    var arguments: [Sentence.Argument] = []
    for place in try list() { arguments.append(try place.argument()) }
    return arguments
  }

  /// An object with one member, which names the kind.
  private func argument() throws(JSONProblem) -> Sentence.Argument {
    for (kind, place) in try members() {
      switch kind {
      case "count": return .count(try place.integer(in: .min ... .max), isGrouped: false)
      case "grouped": return .count(try place.integer(in: .min ... .max), isGrouped: true)
      case "number": return .number(try place.words())
      case "day":
        guard let day = Day(try place.words()) else { throw place.mistake("must be a day") }
        return .day(day)
      case "sentence": return .sentence(try Sentence(place))
      case "name": return .name(try place.words())
      default: throw place.mistake("is no argument of a sentence")
      }
    }
    throw mistake("must be an argument of a sentence")
  }
}
