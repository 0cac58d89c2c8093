import Foundation
import Intake
import JSONText
import Ledger
import Testing
import Values

struct `A profile of files and streams` {
  private func profile(_ text: String) throws -> ImportProfile {
    try ImportProfile(Array(text.utf8), name: "p.json")
  }

  @Test(arguments: BuiltInProfile.allCases)
  func `A profile of files and streams that is built in can be used and names its source`(
    name: BuiltInProfile
  )
    throws
  {
    let profile = try name.profile
    #expect(profile.kind == .spend)
    #expect(profile.source?.hasPrefix("https://") == true)
    #expect(name.rawValue.hasPrefix("file:") == (profile.form.records == .file))
    _ = try ImportLayout<SpendRow>(profile.form)
  }

  @Test func `A profile of files and streams has units, dates and fixed values`() throws {
    let profile = try profile(
      #"{"profile":"p","imports":"totals","records":"file","columns":{"date":"Day","installs":"Installs","revenue":"Cents"},"#
        + #""fixed":{"network":"n","currency":"EUR"},"amounts":"hundredths","time-format":"day-first"}"#)
    var mistakes = ReferenceMistakes(most: 1)
    let rows = try ReferenceFile.read(
      ReferenceFile.source(Array("Day;Installs;Cents;campaign\n1.11.2026;12;1999;x\n".utf8)),
      try ImportLayout<NetworkTotalRow>(profile.form), &mistakes
    ).rows.all()
    #expect(rows.map(\.day) == [Day("2026-11-01")] && rows.map(\.micros) == [19_990_000])
    // A column that the profile does not name is not read.
    #expect(rows.map(\.campaign) == [""])
  }

  @Test(arguments: [
    (#"{"profile":"p"}"#, "imports"),
    (#"{"profile":"p","imports":"spending","records":"file","columns":{}}"#, "Did you mean \"spend\"?"),
    (
      #"{"profile":"p","imports":"spend","records":"file","columns":{"cost":"x"}}"#,
      "there is no column 'cost'"
    ),
    (#"{"profile":"p","imports":"spend","records":"singer","columns":{}}"#, "streams"),
    (#"{"profile":"p","imports":"spend","records":"file","streams":["x"],"columns":{}}"#, "is of streams"),
    (
      #"{"profile":"p","imports":"spend","records":"file","column":{},"columns":{}}"#,
      "did you mean \"columns\"?"
    ),
    (
      #"{"profile":"p","imports":"spend","records":"file","columns":{"amount":"a"},"fixed":{"amount":"1"}}"#,
      "is in \"columns\" too"
    ),
    (
      #"{"profile":"p","imports":"spend","records":"file","columns":{},"time-zone":"Mars"}"#,
      "is no time zone"
    ),
    (
      #"{"profile":"p","imports":"spend","records":"file","columns":{},"time-format":"%q"}"#,
      "is no form of dates"
    ),
  ]) func `A profile of files and streams with a mistake is rejected with its place`(
    text: String, words: String
  )
    throws
  {
    let error = try #require(throws: JSONFileError.self) { try profile(text) }
    #expect(
      (error.description + " " + (error.remedy ?? "")).contains(words), "\(error) \(error.remedy ?? "")")
  }

  @Test func `A profile of files and streams has a schema with the same members`() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let bytes = try [UInt8](Data(contentsOf: root.appending(path: "schemas/import-profile.schema.json")))
    let schema = try #require(JSONReader.read(bytes).value.object)
    let properties = try #require(schema["properties"]?.value.object)
    #expect(Set(properties.members.map(\.name)) == Set(ImportProfile.members.names))
    #expect(schema["required"]?.value.array?.compactMap(\.value.string) == ImportProfile.members.required)
    let kinds = properties["imports"]?.value.object?["enum"]?.value.array?.compactMap(\.value.string)
    #expect(kinds == ImportProfile.Kind.allCases.map(\.rawValue))
    let units = properties["amounts"]?.value.object?["enum"]?.value.array?.compactMap(\.value.string)
    #expect(units == AmountForm.Unit.allCases.map(\.rawValue))
  }
}
