import Intake
package import JSONText
import Ledger
import Values

extension Pull {
  /// The members of a document.
  package static let form = JSONForm(
    "a pull", required: ["pull", "request"],
    optional: [
      "$schema", "comment", "summary", "source", "profile", "set", "replaces", "postbacks", "oauth",
      "sign-in", "report", "pages", "rows", "days", "limits", "may-be-empty",
    ])
  private static let postbacksForm = JSONForm(
    "postbacks", optional: ["export", "member", "received-at-member"])
  private static let daysForm = JSONForm(
    "the days", optional: ["format", "to", "again", "earliest", "at-once"])
  private static let limitsForm = JSONForm(
    "the limits",
    optional: ["pause-milliseconds", "pages", "megabytes", "wait-seconds", "report-seconds", "run-seconds"])
  private static let numberForm = JSONForm("pages", required: ["number-from"], optional: ["step", "count"])

  /// Reads a pull document.
  ///
  /// - Parameters:
  ///   - bytes: The document.
  ///   - name: The document's name, for messages.
  /// - Throws: The first mistake, with its line.
  package init(_ bytes: [UInt8], named name: String) throws(JSONFileError) {
    let file = JSONFile(bytes, name: name, schema: "docs/reference/file-formats.md#pulls")
    self = try file.read { (root) throws(JSONProblem) in try Self(root, bytes) }
  }

  private init(_ root: JSONPlace, _ bytes: [UInt8]) throws(JSONProblem) {
    let members = try root.members(Self.form)
    let place = try members.required("pull")
    name = try place.text()
    guard StoredToken.isHolderName(name), name.utf8.count <= 64 else {
      throw place.mistake("may have only letters, digits, '-', '_' and '.', and 64 of them")
    }
    for name in ["summary", "source"] { _ = try members[name]?.text() }
    content = try Self.content(members)
    signIn = try Self.signIn(members, bytes)
    let hasToken = signIn != nil
    report = try members["report"].map { (place) throws(JSONProblem) in
      try Self.report(place, bytes, hasToken: hasToken)
    }
    pages = try Self.pages(members["pages"])
    rows = try members["rows"]?.text()
    if case .next = pages, rows == nil { throw root.problem(.missingMember("rows", of: "a pull of pages")) }
    if case .cursor = pages, rows == nil { throw root.problem(.missingMember("rows", of: "a pull of pages")) }
    var allowed: Set<PullTemplate.Value> = [.from, .to]
    var needed: Set<PullTemplate.Value> = []
    if signIn != nil { allowed.insert(.token) }
    if report != nil { needed.insert(.id) }
    switch pages {
    case .one, .next: break
    case .cursor: needed.insert(.cursor)
    case .number: needed.insert(.page)
    }
    let asked = try members.required("request")
    var request = try asked.pullRequest(bytes, allowing: allowed.union(needed), needing: needed)
    if members["oauth"] != nil { request = request.withToken }
    if signIn != nil, !request.values.contains(.token) {
      throw asked.mistake("never uses the token of the sign-in", cure: "Write {token} where it belongs.")
    }
    self.request = request
    days = try Self.days(members["days"], isOfPostbacks: members["postbacks"] != nil)
    limits = try Self.limits(members["limits"])
    mayBeEmpty = try members["may-be-empty"]?.truth() ?? false
  }

  private static func content(_ members: JSONMembers) throws(JSONProblem) -> Content {
    if let place = members["postbacks"] {
      for name in ["profile", "set", "replaces"] {
        if let other = members[name] { throw other.mistake("is of rows; the document has \"postbacks\"") }
      }
      let form = try place.members(postbacksForm)
      // An export has columns of its own for the time.
      guard form["export"] != nil || form["received-at-member"] != nil else {
        throw place.problem(.missingMember("received-at-member", of: "\"postbacks\" without \"export\""))
      }
      return .postbacks(
        PostbackForm(
          export: try form["export"].map { (place) throws(JSONProblem) in try place.word() },
          member: try form["member"]?.text(), timeMember: try form["received-at-member"]?.text()))
    }
    guard let place = members["profile"] else {
      throw members.at.problem(.missingMember("profile", of: "a pull without \"postbacks\""))
    }
    let profile = try profile(place)
    guard profile.form.records == .file else {
      throw place.mistake(
        "is a profile of a stream; an answer is a file",
        cure: "Copy it with `skan profile show`, and set \"records\" to \"file\".")
    }
    var form = profile.form
    if let fixed = try members["set"]?.members() {
      for (column, value) in fixed where column != "comment" {
        form.set(column, to: try value.text())
      }
    }
    form.confirmFixed()
    do throws(ImportLayoutDefect) { try profile.kind.check(form) } catch {
      throw (members["set"] ?? place).mistake("cannot be used: \(error.sentence)")
    }
    let replaces: Replaced = try members["replaces"]?.word() ?? .rows
    if replaces == .days, !profile.kind.hasDaysOfNetworks {
      throw (members["replaces"] ?? place).mistake(
        "can be \"days\" only for spend and totals, found \(profile.kind.rawValue)")
    }
    return .rows(profile.kind, form, replaces: replaces)
  }

  private static func profile(_ place: JSONPlace) throws(JSONProblem) -> ImportProfile {
    guard place.node.value.object == nil else { return try ImportProfile(place) }
    let name: BuiltInProfile = try place.word()
    do throws(JSONFileError) { return try name.profile } catch {
      throw place.mistake("cannot be used: \(error.problem)")
    }
  }

  private static func pages(_ place: JSONPlace?) throws(JSONProblem) -> PullPages {
    guard let place else { return .one }
    let members = try place.members()
    if members["next"] != nil {
      return .next(try place.members(JSONForm("pages", optional: ["next"])).required("next").text())
    }
    if members["cursor"] != nil {
      return .cursor(try place.members(JSONForm("pages", optional: ["cursor"])).required("cursor").text())
    }
    guard members["number-from"] != nil else {
      throw place.mistake("needs one of \"next\", \"cursor\" and \"number-from\"")
    }
    let form = try place.members(numberForm)
    return .number(
      first: Int(try form.required("number-from").integer(in: 0...1_000_000)),
      step: Int(try form["step"]?.integer(in: 1...1_000_000) ?? 1), count: try form["count"]?.text())
  }

  private enum LastDay: String, CaseIterable {
    case lastDay = "last-day"
    case dayAfter = "day-after"
  }

  private static func days(_ place: JSONPlace?, isOfPostbacks: Bool) throws(JSONProblem) -> Days {
    let members = try place?.members(daysForm)
    let pattern = members?["format"]
    guard let format = PullDayFormat(try pattern?.text() ?? "%Y-%m-%d") else {
      throw (pattern ?? place)?.mistake("may have %Y, %m, %d, %s and %% alone")
        ?? JSONPlace.nowhere.mistake("is no format")
    }
    let last: LastDay = try members?["to"]?.word() ?? .lastDay
    var earliest: Day?
    if let place = members?["earliest"] {
      guard let day = Day(try place.text()) else {
        throw place.mistake("is no day", cure: "Write it like \"2026-11-01\".")
      }
      earliest = day
    }
    // A source corrects its sums; a postback is what it is.
    let again = Int(try members?["again"]?.integer(in: 1...366) ?? (isOfPostbacks ? 1 : 7))
    return Days(
      format: format, isToIncluded: last == .lastDay, again: again, earliest: earliest,
      atOnce: try members?["at-once"].map { (place) throws(JSONProblem) in
        Int(try place.integer(in: 1...366))
      })
  }

  private static func limits(_ place: JSONPlace?) throws(JSONProblem) -> Limits {
    let members = try place?.members(limitsForm)
    func number(
      _ name: String, _ usual: Int, _ range: ClosedRange<Int64>
    ) throws(JSONProblem) -> Int {
      try members?[name].map { (place) throws(JSONProblem) in Int(try place.integer(in: range)) } ?? usual
    }
    return Limits(
      pause: try number("pause-milliseconds", 0, 0...60_000), pages: try number("pages", 1000, 1...100_000),
      bytes: try number("megabytes", 64, 1...256) << 20, wait: try number("wait-seconds", 600, 1...3600),
      report: try number("report-seconds", 1800, 1...21_600),
      run: try number("run-seconds", 7200, 1...86_400))
  }
}

extension JSONPlace {
  /// The place of a value that no document has.
  fileprivate static let nowhere = JSONPlace(JSONNode(value: .null, range: 0..<0))
}
