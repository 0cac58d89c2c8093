import Ledger
import MappingEditing
import Mappings
import Markup
import Pages
import Postbacks
import Values

/// The page of an app's mapping: the version in force as a picture first, then what another version changes.
struct VersionsPage {
  let mappings: AppMappings
  let forms: VersionsForms
  /// The number of the version that is shown; `nil` for the one in force.
  let shown: Int?
  /// The numbers of the versions that are compared; `nil` for the newest and the one before it.
  let old: Int?
  let new: Int?
  let context: ScreenContext

  private var texts: Texts { context.texts }
  private var current: AppMappings.Version? { mappings.inForce(at: context.now) }

  func page(_ message: HTML) -> Page {
    guard let app = mappings.app else {
      let both: HTML = context.mayEdit ? "\(forms.begin)\(forms.importPanel)" : ""
      return Page(
        texts.mappingsTitle,
        body: "\(message)\(Panel.empty(texts.mappingsNoneTitle, texts.mappingsNoneReason))\(both)")
    }
    // What failed is to be corrected first, so it comes first.
    let failed: HTML = forms.sent == nil ? "" : forms.importPanel
    return Page(
      texts.mappingsTitle, scope: texts.mappingsScope(app: context.called.app(app)),
      body: """
        \(message)\(failed)\(appForm(app))\(forms.row)\(timeline)\(pictures)\
        <div class="two">\(versions)\(drafts)</div>
        """)
  }

  private func appForm(_ app: Int64) -> HTML {
    guard mappings.apps.count > 1 else { return "" }
    var form = FilterForm(context.address, texts)
    form.app(app, of: mappings, context)
    return form.markup(
      summary: context.called.appLabel("\(app)"), dropping: ["old", "new", "version", "published"])
  }

  private var timeline: HTML {
    let drawing = VersionsTimeline(mappings: mappings, now: context.now, texts: texts).markup
    return drawing.text.isEmpty
      ? ""
      : "<section class=\"panel\" aria-label=\"\(texts.mappingsInTime)\"><div class=\"in\">\(drawing)</div></section>"
  }

  /// The day from which it is in force, with the hour where it begins within a day.
  private func start(of version: AppMappings.Version) -> HTML {
    let from = version.effectiveFrom
    return from == from.day.start ? Marks.day(from.day, hasYear: true) : Marks.moment(from)
  }

  private func badge(_ version: AppMappings.Version) -> HTML {
    if version.number == current?.number {
      return " <span class=\"badge good\">\(texts.mappingsInForce)</span>"
    }
    return version.effectiveFrom > context.now
      ? " <span class=\"badge info\">\(texts.mappingsFuture(date: Marks.day(version.effectiveFrom.day)))</span>"
      : ""
  }

  // MARK: Pictures

  private var pictures: HTML {
    let chosen = mappings.versions.first { $0.number == shown } ?? current ?? mappings.versions.first
    guard let chosen else { return Panel.empty(texts.mappingsNoneTitle, texts.mappingsNoneReason) }
    let map = MeaningMap(chosen.mapping, texts)
    let used = map.values.count { $0.isUsed }
    let link: HTML =
      AppID(chosen.mapping.app.number).map {
        "<a href=\"\(HandoverScreen.address(of: $0, version: chosen.number).text)\">\(texts.handoverTitle)</a>"
      } ?? ""
    let picture = Panel.section(
      "map", "\(texts.version(chosen.number))\(badge(chosen))",
      note: texts.mappingsMapNote(
        date: Marks.day(chosen.effectiveFrom.day, hasYear: true), used: used, free: 64 - used,
        currency: "\(chosen.mapping.currency.text)"), link: link, "<div class=\"stack\">\(map.markup)</div>")
    let difference = difference(beside: chosen)
    return difference.text.isEmpty ? picture : "<div class=\"half\">\(picture)\(difference)</div>"
  }

  /// What the newer of two versions changes; `shown` is the version whose letters are explained already.
  private func difference(beside shown: AppMappings.Version) -> HTML {
    guard mappings.versions.count > 1 else { return "" }
    let newer = mappings.versions.first { $0.number == new } ?? mappings.versions[mappings.versions.count - 1]
    let older =
      mappings.versions.first { $0.number == old }
      ?? mappings.versions.last { $0.effectiveFrom < newer.effectiveFrom } ?? mappings.versions[0]
    let zones = PublicationReview.mixedZones(older.mapping, newer.mapping).filter { $0.isInOld && $0.isInNew }
    let both: HTML =
      zones.first.map { zone in
        texts.mappingsBoth(
          from: Marks.day(zone.from.day, hasYear: true), to: Marks.day(zone.to.day, hasYear: true))
      } ?? ""
    let mixed =
      zones.isEmpty
      ? ""
      : MappingMarks.mixedZones(
        zones.map { (name: "<bdi dir=\"ltr\">\(older.number) → \(newer.number)</bdi>", zone: $0) }, texts)
    return Panel.section(
      "differences", texts.mappingsAgainst(new: "\(newer.number)", old: "\(older.number)"), note: both,
      flush: true,
      """
      \(choice(older.number, newer.number))\
      \(DifferenceMap(from: older.mapping, to: newer.mapping, texts).markup(below: mixed, hasLegend: newer.number != shown.number))
      """)
  }

  /// The choice of two versions; with two there is none.
  private func choice(_ older: Int, _ newer: Int) -> HTML {
    guard mappings.versions.count > 2 else { return "" }
    let options = mappings.versions.map { (value: "\($0.number)", word: texts.version($0.number)) }
    var form = FilterForm(context.address, texts)
    form.choice("old", texts.mappingsOld, "\(older)", options)
    form.choice("new", texts.mappingsNew, "\(newer)", options)
    return """
      <div class="in">\(form.markup(
        summary: "\(older) → \(newer)", dropping: ["published"], named: texts.mappingsCompareVersions))</div>
      """
  }

  // MARK: Lists

  private var versions: HTML {
    let versions = Array(mappings.versions.reversed())
    guard !versions.isEmpty else { return "" }
    let names = versions.map { version -> HTML in
      """
      <b>\(texts.version(version.number))</b>\(badge(version))<span class="sub"><bdi>\(version.mapping.name)</bdi></span>
      """
    }
    let publications = versions.map { version -> HTML in
      let who: HTML =
        if let publication = version.publication {
          texts.mappingsPublishedBy(
            name: "<bdi>\(publication.publishedBy)</bdi>", time: Marks.moment(publication.publishedAt))
        } else {
          texts.mappingsLoaded(
            file: "<bdi>\(version.stored.source)</bdi>", time: Marks.moment(version.stored.loadedAt))
        }
      let apps: HTML =
        version.appsSince.map {
          "<span class=\"sub\">\(texts.mappingsApps(time: Marks.moment($0)))</span>"
        } ?? ""
      let restored: HTML =
        version.publication?.restored.map {
          "<span class=\"sub\">\(texts.mappingsRestored(date: Marks.day($0.day, hasYear: true)))</span>"
        } ?? ""
      let note: HTML =
        version.publication.map { $0.note.isEmpty ? "" : "<span class=\"sub\"><bdi>\($0.note)</bdi></span>" }
        ?? ""
      return "\(who)\(apps)\(restored)\(note)"
    }
    let address = context.address.without(["published", "export"])
    let links = versions.map { version -> HTML in
      let show = address.with("version", "\(version.number)")
      let compare =
        version.number > 1
        ? address.with("old", "\(version.number - 1)").with("new", "\(version.number)").at(
          part: "h-differences") : nil
      let link: HTML = compare.map { " · <a href=\"\($0.text)\">\(texts.mappingsCompare)</a>" } ?? ""
      return "<a href=\"\(show.text)\">\(texts.mappingsShow)</a>\(link)"
    }
    let table = DataTable(
      texts.mappingsVersions,
      [
        .init(texts.mappingsVersion, isNumber: false, names),
        .init(texts.mappingsEffective, isNumber: false, style: "date", versions.map { start(of: $0) }),
        .init(texts.mappingsPublished, isNumber: false, publications),
        .init(texts.mappingsPictures, isNumber: false, style: "pb", links),
      ]
    ).lines(helpTitle: "", totals: 0, scrolls: false)
    return Panel.section(
      "versions", texts.mappingsVersions, note: texts.mappingsVersionsNote, flush: true, table)
  }

  private var drafts: HTML {
    let items = mappings.drafts.map { draft -> HTML in
      let discard: HTML =
        context.mayEdit
        ? """
        <form method="post" action="\(context.address.text)">\(context.formToken)<input type="hidden" name="draft" \
        value="\("\(draft.id)" as String)"><input type="hidden" name="etag" value="\(draft.etag)">\
        <button class="btn small" name="do" value="discard">\(texts.mappingsDiscard)</button></form>
        """ : ""
      let saved = texts.mappingsSaved(time: Marks.moment(draft.savedAt), name: "<bdi>\(draft.savedBy)</bdi>")
      return """
        <li><div class="row between"><span class="row"><span class="badge info">\(texts.mappingsDraft)</span>\
        <a href="\(EditorScreen.address(of: draft.id).text)"><bdi>\(draft.name)</bdi></a></span>\(discard)</div>\
        <p class="s">\(saved)</p></li>
        """
    }
    let list: HTML =
      items.isEmpty
      ? "<p class=\"in\">\(texts.mappingsNoDrafts)</p>" : "<ul class=\"list\">\(items.joined())</ul>"
    return Panel.section("drafts", texts.mappingsDrafts, flush: true, list)
  }
}
