import Campaigns
import Ledger
import Markup
import Pages
import Postbacks
import Routing
import Values

/// What happened on days of a chart and can explain why figures moved: new mapping versions, alerts and imports.
///
/// The chart has a numbered line at each such day, and a list has the words, with a link to the page of each.
struct DayMarks {
  /// Alerts of one day that are listed.
  private static let mostAlerts = 3
  /// Days whose list is open from the start.
  private static let mostOpen = 6

  /// Places of the chart, in order, with what happened there.
  private let days: [(place: Int, day: Day, lines: [HTML])]
  private let texts: Texts

  /// Finds what happened on some days.
  ///
  /// - Parameters:
  ///   - days: The day of each place of the chart.
  ///   - campaign: The only campaign whose own alerts count; `nil` for all.
  init(_ days: [Day], _ scope: Scope, campaign: String? = nil, _ context: ScreenContext) throws {
    texts = context.texts
    guard let first = days.min(), let last = days.max() else {
      self.days = []
      return
    }
    let span = first..<last.next
    var lines: [Day: [HTML]] = [:]
    let source = Source(span: span, scope: scope, campaign: campaign, context: context)
    for (day, line) in try source.versions() + source.alerts(most: Self.mostAlerts) + source.imports() {
      lines[day, default: []].append(line)
    }
    self.days = days.enumerated().compactMap { place, day in
      lines[day].map { (place: place, day: day, lines: $0) }
    }
  }

  /// The places of the chart, as it numbers them.
  var places: [Int] { days.map(\.place) }

  /// What the lines stand for, in a legend; none where there is no line.
  var legend: [(sample: LegendSample, word: HTML)] {
    days.isEmpty ? [] : [(.line("mark"), texts.chartMarkLegend)]
  }

  /// The list of what happened, by the numbers in the chart.
  var list: HTML {
    guard !days.isEmpty else { return "" }
    let items = days.map { _, day, lines -> HTML in
      let lines = lines.map { line -> HTML in "<li>\(line)</li>" }
      return "<li>\(Marks.day(day))<ul>\(lines.joined())</ul></li>"
    }
    let open: HTML = days.count <= Self.mostOpen ? " open" : ""
    return """
      <details class="more marks"\(open)><summary>\(texts.chartMarks(count: days.count))</summary><ol>\(items.joined())</ol></details>
      """
  }
}

/// Where what happened is stored, as far as the viewer may see it.
private struct Source {
  let span: Range<Day>
  let scope: Scope
  let campaign: String?
  let context: ScreenContext

  private var texts: Texts { context.texts }

  /// A viewer of some apps or networks has no pages of mappings, health and imports.
  private var isLimited: Bool { !context.viewer.limit.isNone }

  private func shows(_ app: AppID) -> Bool {
    let own = context.viewer.limit.apps
    return (scope.apps.isEmpty || scope.apps.contains(app)) && (own.isEmpty || own.contains(app))
  }

  /// The versions that take effect in the days, with who published them.
  func versions() throws -> [(Day, HTML)] {
    let all = try context.reader.mappings()
    let publications = try context.reader.mappingPublications()
    var numbers: [AppID: Int] = [:]
    return all.sorted { $0.effectiveFrom < $1.effectiveFrom }.compactMap { version in
      let number = numbers[version.app, default: 0] + 1
      numbers[version.app] = number
      let day = version.effectiveFrom.day
      guard span.contains(day), shows(version.app) else { return nil }
      var sentence = texts.chartMarkVersion(
        number: "\(number)", app: "<bdi>\("\(version.app.number)" as String)</bdi>")
      if !isLimited {
        let address = PageAddress(VersionsScreen.path, [("app", "\(version.app.number)")])
        let target =
          number > 1
          ? address.with("old", "\(number - 1)").with("new", "\(number)").at(part: "h-differences")
          : address.at(part: "h-versions")
        sentence = "<a href=\"\(target.text)\">\(sentence)</a>"
      }
      let publication = publications.first {
        $0.app == version.app && $0.digest == version.digest && $0.effectiveFrom == version.effectiveFrom
      }
      let who: HTML =
        publication.map { publication in
          let note: HTML = publication.note.isEmpty ? "" : ": <bdi>\(publication.note)</bdi>"
          return " \(texts.chartMarkPublished(name: "<bdi>\(publication.publishedBy)</bdi>"))\(note)"
        } ?? ""
      return (day, "<span class=\"badge info\">\(texts.chartMarkMapping)</span> \(sentence)\(who)")
    }
  }

  /// The alerts that were raised in the days, also those that have ended.
  func alerts(most: Int) throws -> [(Day, HTML)] {
    guard !isLimited else { return [] }
    let raised = try context.reader.alerts(endedSince: span.lowerBound.start).filter { alert in
      span.contains(alert.since.day) && alert.app.map(shows) ?? true
        && alert.network.map { network in
          scope.networks.isEmpty || scope.networks.contains { $0.canonical == network }
        } ?? true && (campaign == nil || alert.campaign == nil || alert.campaign == campaign)
    }
    let target = PageAddress(HealthScreen.path).at(part: "h-alerts")
    return Dictionary(grouping: raised, by: \.since.day).sorted { $0.key < $1.key }.flatMap { day, alerts in
      let shown = alerts.prefix(most).map { alert -> (Day, HTML) in
        let sentence = texts.say(alert.sentence)
        // The page of alerts has those that go on.
        let line: HTML =
          alert.resolvedAt.map {
            "\(sentence) \(texts.chartMarkEnded(day: Marks.day($0.day, hasYear: true)))"
          }
          ?? "<a href=\"\(target.text)\">\(sentence)</a>"
        return (day, "<span class=\"badge warn\">\(texts.chartMarkAlert)</span> \(line)")
      }
      let more = alerts.count - shown.count
      return more > 0 ? shown + [(day, texts.chartMarkMore(count: more))] : shown
    }
  }

  /// The imports of the days, those of one kind and day together.
  func imports() throws -> [(Day, HTML)] {
    guard !isLimited else { return [] }
    let all = try context.reader.referenceImports(from: span.lowerBound, to: span.upperBound)
    let words = [
      "spend": "spend", "campaign_name": "names", "rate": "rates", "network_total": "totals",
      "own_installs": "installs", "own_proceeds": "proceeds", "value_worth": "users",
    ]
    return Dictionary(grouping: all, by: \.at.day).sorted { $0.key < $1.key }.flatMap { day, records in
      DataPlace.words.compactMap { word -> (Day, HTML)? in
        let rows = records.filter { words[$0.kind] == word }.reduce(0) { $0 + $1.rows }
        guard rows > 0 else { return nil }
        let sentence = texts.chartMarkRows(kind: DataPlace.title(of: word, texts), count: rows)
        return (
          day,
          "<span class=\"badge\">\(texts.chartMarkImport)</span> <a href=\"\(PageAddress(DataPlace.path(of: word)).text)\">\(sentence)</a>"
        )
      }
    }
  }
}
