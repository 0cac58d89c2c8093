package import JSONText
import Ledger
import Values

/// A description of files or streams that have rows of one kind, which an operator writes or which is built in.
package struct ImportProfile: Sendable {
  /// What profiles are for; the raw value is the command's word.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case spend, names, rates, totals, installs, proceeds
  }

  /// What it reads, in a sentence without a full stop.
  package let summary: String
  package let kind: Kind
  /// Where the form is documented.
  package let source: String?
  package let form: ImportForm

  package static let members = JSONForm(
    "a profile", required: ["profile", "imports", "records", "columns"],
    optional: [
      "$schema", "comment", "source", "streams", "ends-without-state", "key", "only", "fixed", "amounts",
      "rounds-amounts",
      "time-format", "time-zone",
    ])

  private enum Records: String, CaseIterable {
    case file, singer, airbyte
  }

  /// Reads a profile.
  ///
  /// - Parameters:
  ///   - bytes: The document.
  ///   - name: The document's name, for messages.
  /// - Throws: The first mistake, with its line.
  package init(_ bytes: [UInt8], name: String) throws(JSONFileError) {
    let file = JSONFile(bytes, name: name, schema: "docs/reference/file-formats.md#import-profiles")
    self = try file.read { (root) throws(JSONProblem) in try Self(root) }
  }

  /// Reads a profile that is part of a document.
  package init(_ root: JSONPlace) throws(JSONProblem) {
    let members = try root.members(Self.members)
    summary = try members.required("profile").text()
    kind = try members.required("imports").word()
    source = try members["source"]?.text()
    var form = ImportForm()
    form.hasOnlyNamed = true
    form.records = try Self.records(members)
    for (column, place) in try members.required("columns").members() where column != "comment" {
      form.sources[column] = .named(try place.text())
    }
    if let fixed = try members["fixed"]?.members() {
      for (column, place) in fixed where column != "comment" {
        guard form.sources[column] == nil else { throw place.mistake("is in \"columns\" too") }
        form.sources[column] = .fixed(try place.text())
      }
    }
    form.key = try Self.texts(members["key"])
    if let only = try members["only"]?.members() {
      for (name, place) in only { form.only[name] = try Self.texts(place) }
    }
    if let unit = members["amounts"] { form.amounts.unit = try unit.word() }
    form.amounts.isRounded = try members["rounds-amounts"]?.truth() ?? false
    if let place = members["time-format"] {
      let pattern = try place.text()
      do throws(TimeFormat.Defect) { form.days.format = try TimeFormat(pattern) } catch {
        throw place.mistake("is no form of dates: \(error.sentence)")
      }
    }
    if let place = members["time-zone"] {
      guard let found = ReportingZone(named: try place.text()) else {
        throw place.mistake("is no time zone", cure: "Write UTC, +05:30 or Europe/Berlin.")
      }
      form.days.zone = found
    }
    do throws(ImportLayoutDefect) { try kind.check(form) } catch {
      throw try members.required("columns").mistake("cannot be used: \(error.sentence)")
    }
    self.form = form
  }

  private static func records(_ members: JSONMembers) throws(JSONProblem) -> RecordSource {
    let records: Records = try members.required("records").word()
    let streams = try texts(members["streams"])
    let endsWithoutState = try members["ends-without-state"]?.truth() ?? false
    guard let form = MessageForm(rawValue: records.rawValue) else {
      for name in ["streams", "ends-without-state"] {
        if let place = members[name] { throw place.mistake("is of streams; \"records\" is \"file\"") }
      }
      return .file
    }
    guard !streams.isEmpty else {
      throw members.at.problem(.missingMember("streams", of: "a profile of a stream"))
    }
    return .stream(form, names: streams, endsWithoutState: endsWithoutState)
  }

  private static func texts(_ place: JSONPlace?) throws(JSONProblem) -> [String] {
    guard let place else { return [] }
    var texts: [String] = []
    for element in try place.list() { texts.append(try element.text()) }
    return texts
  }
}

extension ImportProfile.Kind {
  /// Rejects a form that names columns which rows of the kind do not have.
  package func check(_ form: ImportForm) throws(ImportLayoutDefect) {
    switch self {
    case .spend: _ = try ImportLayout<SpendRow>(form)
    case .names: _ = try ImportLayout<CampaignNameRow>(form)
    case .rates: _ = try ImportLayout<RateRow>(form)
    case .totals: _ = try ImportLayout<NetworkTotalRow>(form)
    case .installs: _ = try ImportLayout<OwnInstallsRow>(form)
    case .proceeds: _ = try ImportLayout<ProceedsRow>(form)
    }
  }
}
