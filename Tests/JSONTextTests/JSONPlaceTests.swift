import JSONText
import Testing
import Values

private enum Size: String, CaseIterable { case small, veryLarge = "very-large" }

private func place(_ text: String) throws -> JSONPlace { JSONPlace(try JSONReader.read(Array(text.utf8))) }

private func problem(_ text: String, _ read: (JSONPlace) throws(JSONProblem) -> Void) throws -> JSONProblem? {
  let place = try place(text)
  do throws(JSONProblem) { try read(place) } catch { return error }
  return nil
}

struct `The reader of a JSON value` {
  @Test func `A place in a JSON document reads each type of value`() throws {
    let members = try place(
      #"{"t":"a","i":-3,"n":12.5,"s":"12.50","y":true,"l":[1,2],"w":"very-large","c":"EUR","d":"2026-11-01"}"#
    ).members()
    #expect(try members["t"]?.text() == "a")
    #expect(try members["i"]?.integer(in: -3...3) == -3)
    #expect(try members["n"]?.amount() == Amount(micros: 12_500_000))
    #expect(try members["s"]?.amount() == Amount(micros: 12_500_000))
    #expect(try members["y"]?.truth() == true)
    #expect(try members["l"]?.list().map { try $0.integer(in: 1...2) } == [1, 2])
    #expect(try members["w"]?.word(Size.self) == .veryLarge)
    #expect(try members["c"]?.currency() == CurrencyCode("EUR"))
    #expect(try members["d"]?.instant() == Instant("2026-11-01T00:00:00Z"))
    #expect(members.map { $0.name } == ["t", "i", "n", "s", "y", "l", "w", "c", "d"])
  }

  @Test func `A place in a JSON document distinguishes a missing member from null, and null from any value`()
    throws
  {
    let members = try place(#"{"a":null}"#).members()
    #expect(members["b"] == nil)
    let null = try #require(members["a"])
    #expect(throws: JSONProblem.self) { try null.text() }
    #expect(throws: JSONProblem.self) { try null.integer(in: 0...1) }
    #expect(throws: JSONProblem.self) { try null.amount() }
    #expect(throws: JSONProblem.self) { try null.truth() }
    #expect(throws: JSONProblem.self) { try null.list() }
    #expect(throws: JSONProblem.self) { try null.members() }
    #expect(throws: JSONProblem.self) { try members.required("b") }
  }

  @Test(arguments: [
    ("7", "must be a string, found an integer", "Put it in double quotes."), (#""""#, "is empty", nil),
    ("[]", "must be a string, found an array", nil),
  ])
  func `A place in a JSON document rejects what is no text`(text: String, words: String, cure: String?) throws
  {
    let problem = try problem(text) { (at) throws(JSONProblem) in _ = try at.text() }
    #expect(problem?.predicate.english == words)
    #expect(problem?.cure?.english == cure)
  }

  @Test(arguments: [
    ("\"4\"", "must be a whole number from 1 to 9, found a string", "Drop the quotes: 4."),
    ("10", "must be a whole number from 1 to 9, found 10", nil),
    ("4.0", "must be a whole number from 1 to 9, found a number with a fraction or an exponent", "Write 4."),
    (
      String(repeating: "9", count: 100), "must be a whole number from 1 to 9, found a number of 100 digits",
      nil
    ),
  ])
  func `A place in a JSON document rejects what is no whole number of the range`(
    text: String, words: String, cure: String?
  ) throws {
    let problem = try problem(text) { (at) throws(JSONProblem) in _ = try at.integer(in: 1...9) }
    #expect(problem?.predicate.english == words)
    #expect(problem?.cure?.english == cure)
  }

  @Test(arguments: ["Very_Large", "verylarge", "big", "very-larg"])
  func `A place in a JSON document guesses the word that was meant`(text: String) throws {
    let problem = try problem("\"\(text)\"") { (at) throws(JSONProblem) in
      _ = try at.word(Size.self, synonyms: ["big": ["huge", "very-large"]])
    }
    #expect(problem?.predicate.english == "must be one of small, very-large, found \"\(text)\"")
    #expect(problem?.cure?.english == #"Did you mean "very-large"?"#)
  }

  @Test func `A place in a JSON document guesses nothing from a name that is too long to compare`() {
    let name = "very-large" + String(repeating: "_", count: 40)
    #expect(NameGuess.meant(by: name, among: ["very-large"]) == nil)
    #expect(NameGuess.meant(by: String(name.prefix(40)), among: ["very-large"]) == "very-large")
  }

  @Test func `A place in a JSON document limits the elements of an array`() throws {
    let problem = try problem("[1,2,3]") { (at) throws(JSONProblem) in _ = try at.list(atMost: 2) }
    #expect(problem?.kind == .tooMany(3, most: 2))
  }

  @Test
  func `A place in a JSON document finds members that the form does not know, those that lack, and where`()
    throws
  {
    let form = JSONForm("a thing", required: ["kind", "name"], optional: ["size"])
    let outer = try place(#"{"things":[{"kind":1,"siz":2,"x":3}]}"#).members()
    let members = try #require(try outer["things"]?.list().first?.members())
    let problems = members.problems(form, atMost: 10)
    #expect(problems.map(\.path.description) == ["$.things[0].siz", "$.things[0].x", "$.things[0]"])
    #expect(problems.map(\.offset) == [21, 29, 11])
    #expect(
      problems.map(\.kind) == [
        .unknownMember("siz", of: "a thing", known: ["kind", "name", "size"], meant: "size"),
        .unknownMember("x", of: "a thing", known: ["kind", "name", "size"], meant: nil),
        .missingMember("name", of: "a thing"),
      ])
    #expect(members.problems(form, atMost: 1).count == 2)
    #expect(throws: problems[0]) { try members.at.members(form) }
  }

  @Test func `A place in a JSON document compares names by their bytes`() throws {
    let members = try place("{\"e\u{301}\":1}").members()
    #expect(members.problems(JSONForm("a thing", optional: ["\u{E9}"])).count == 1)
    #expect(members.problems(JSONForm("a thing", optional: ["e\u{301}"])).isEmpty)
  }
}
