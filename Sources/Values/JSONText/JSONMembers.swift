import Values

/// The members that an object may have.
public struct JSONForm: Equatable, Sendable {
  public let words: String
  public let required: [String]
  /// The members that it may have besides.
  public let optional: [String]
  /// Words that people write for the names, in lower case and without separators.
  public let synonyms: [String: [String]]

  public init(
    _ words: String, required: [String] = [], optional: [String], synonyms: [String: [String]] = [:]
  ) {
    self.words = words
    self.required = required
    self.optional = optional
    self.synonyms = synonyms
  }

  /// Every member that the object may have.
  public var names: [String] { required + optional }
}

/// The members of an object, each with the way to it.
public struct JSONMembers: Equatable, Sendable {
  public let object: JSONObject
  public let at: JSONPlace

  init(_ object: JSONObject, at: JSONPlace) {
    self.object = object
    self.at = at
  }

  /// The value of a member; `nil` where the object has none of that name, and null where that is its value.
  public subscript(name: String) -> JSONPlace? {
    object[name].map { JSONPlace($0, at.path.member(name)) }
  }

  /// The value of a member that has to be there.
  public func required(_ name: String, of words: String = "the object") throws(JSONProblem) -> JSONPlace {
    guard let place = self[name] else { throw at.problem(.missingMember(name, of: words)) }
    return place
  }

  /// The problems of the members' names: those that the form does not know, at most so many, and those that lack.
  public func problems(_ form: JSONForm, atMost most: Int = 1) -> [JSONProblem] {
    let unknown = object.members(otherThan: form.names).prefix(most).map { member in
      let meant = NameGuess.meant(by: member.name, among: form.names, synonyms: form.synonyms)
      return JSONProblem(
        kind: .unknownMember(member.name, of: form.words, known: form.names, meant: meant),
        offset: member.nameRange.lowerBound, path: at.path.member(member.name),
        found: member.value.value.sort, cure: meant.map { Sentence("Did you mean \(code: quoted($0))?") })
    }
    return unknown
      + form.required.filter { object[$0] == nil }.map { at.problem(.missingMember($0, of: form.words)) }
  }
}

extension JSONMembers: Sequence {
  /// The members in the order of the document.
  public func makeIterator() -> AnyIterator<(name: String, place: JSONPlace)> {
    var rest = object.members.makeIterator()
    return AnyIterator { rest.next().map { ($0.name, JSONPlace($0.value, at.path.member($0.name))) } }
  }
}
