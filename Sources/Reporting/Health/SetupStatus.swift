package import Ledger
package import Postbacks
package import Values
import Verification

/// Where an app is on its way from nothing to reports, by what the database has; the steps of `docs/guides/going-live.md`.
package struct SetupStatus: Sendable {
  package struct Step: Hashable, Sendable {
    package let name: String
    package let title: String
    package let state: State
    /// What the state follows from: when and how many.
    package let evidence: String
    /// What to do; `nil` where nothing is to be done.
    package let next: String?
  }

  /// How far a step is; the raw value is the word in reports.
  package enum State: String, Hashable, Sendable {
    case done
    /// Begun; something has still to arrive.
    case waiting
    case notBegun = "not-begun"
    /// The database cannot show it.
    case cannotKnow = "cannot-know"
  }

  package private(set) var steps: [Step] = []

  /// Conversions that are looked at for device copies; a look at all would read the whole file.
  private static let newest: Int64 = 20_000

  private let app: AppID?
  private let now: Instant

  /// Asks a ledger.
  ///
  /// - Parameters:
  ///   - app: The app; `nil` for all.
  ///   - networks: Names of networks in the configuration, which may forward.
  package init(
    from reader: LedgerReader, app: AppID?, networks: [String], now: Instant
  ) throws(LedgerError) {
    (self.app, self.now) = (app, now)
    let facts = try SetupFacts(from: reader, app: app, amongNewest: Self.newest)
    steps = [
      domain(facts), plist(facts), firstCall(facts), inbox(facts), mapping(facts),
      forwarding(facts, configured: networks), relays(facts), firstPostback(facts), values(facts),
      laterWindows(facts),
    ]
  }

  private func domain(_ facts: SetupFacts) -> Step {
    let title = "Devices reach skan at your domain"
    let next = "run `skan doctor --domain YOUR-DOMAIN` on a machine outside your network"
    let spans = facts.spans.filter {
      $0.origin.route == .advertiserCopy || $0.origin.route == .networkAddress
    }
    guard let first = spans.map(\.first).min(), let last = spans.map(\.last).max() else {
      return Step(
        name: "domain", title: title, state: .cannotKnow, evidence: "no valid postback of a device yet",
        next: next)
    }
    let count = counted(spans.reduce(0) { $0 + $1.valid }, "valid postback")
    return Step(
      name: "domain", title: title, state: .done,
      evidence: "\(count) of devices, from \(first.day) to \(last.day)", next: nil)
  }

  private func plist(_ facts: SetupFacts) -> Step {
    let title = "The app's Info.plist names the domain"
    let check = "check the Info.plist of the newest build with `skan plist check`"
    guard !facts.copies.isEmpty else {
      return Step(
        name: "plist", title: title, state: .cannotKnow,
        evidence: "no device copy among the newest conversions", next: check)
    }
    let names: [PostbackKind: String] = [.skan: "SKAdNetwork", .aak: "AdAttributionKit"]
    let found = facts.copies.map { "\($0.count) of \(names[$0.kind] ?? ""), the last on \($0.last.day)" }
    let missing = [PostbackKind.skan, .aak].filter { kind in !facts.copies.contains { $0.kind == kind } }
    return Step(
      name: "plist", title: title, state: .done,
      evidence: "device copies: \(found.joined(separator: "; "))",
      next: missing.isEmpty
        ? nil : "no copy of \(missing.compactMap { names[$0] }.joined()): \(check), if ads of it run")
  }

  private func firstCall(_ facts: SetupFacts) -> Step {
    let title = "The app sets a conversion value at first launch"
    let count = facts.postbacks(in: [.production, .development, .test])
    guard count > 0 else {
      return Step(
        name: "first-call", title: title, state: .cannotKnow, evidence: "no valid postback yet",
        next: "call Apple's update method at first launch, and see its postback in a test inbox")
    }
    return Step(
      name: "first-call", title: title, state: .done,
      evidence: "\(counted(count, "postback")); a device sends none before that call", next: nil)
  }

  private func inbox(_ facts: SetupFacts) -> Step {
    let title = "A test phone reaches a test inbox"
    let create = "create one with `skan token create --test-inbox`, and enter it in Developer Settings"
    let good = facts.inboxArrivals.filter { $0.state == .valid && $0.environment != .production }
    if let last = good.last {
      return Step(
        name: "test-inbox", title: title, state: .done,
        evidence: "\(counted(good.count, "test postback")), the last at \(last.receivedAt)", next: nil)
    }
    if !facts.inboxArrivals.isEmpty {
      return Step(
        name: "test-inbox", title: title, state: .waiting,
        evidence: "\(counted(facts.inboxArrivals.count, "arrival")), none of them a valid test postback",
        next: "see why with `skan inbox watch --no-wait --since 2026-01-01`")
    }
    let open = facts.tokens.filter { $0.use == .testInbox && $0.revokedAt == nil }
    guard let inbox = open.last else {
      return Step(
        name: "test-inbox", title: title, state: .notBegun, evidence: "no test inbox", next: create)
    }
    let isOver = inbox.expiresAt.map { $0 <= now } == true
    return Step(
      name: "test-inbox", title: title, state: isOver ? .notBegun : .waiting,
      evidence: isOver
        ? "inbox \(inbox.id) has expired" : "inbox \(inbox.id) is open, and nothing has arrived",
      next: isOver
        ? create
        : "send a postback with Transmit Development Postbacks, and watch with `skan inbox watch`; in Developer Mode "
          + "a window lasts 3 minutes, and its postback leaves 5 to 10 minutes later")
  }

  private func mapping(_ facts: SetupFacts) -> Step {
    let title = "A mapping gives values a meaning"
    let load = "check and load one with `skan mapping check` and `skan mapping load`"
    let missing = facts.apps.subtracting(facts.mappings.map(\.app)).sorted { $0.number < $1.number }
    guard let newest = facts.mappings.map(\.effectiveFrom).max() else {
      return Step(
        name: "mapping", title: title, state: .notBegun, evidence: "no mapping is loaded", next: load)
    }
    let versions = counted(facts.mappings.count, "version")
    guard missing.isEmpty else {
      let apps = missing.prefix(3).map { "\($0.number)" }.joined(separator: ", ")
      return Step(
        name: "mapping", title: title, state: .waiting,
        evidence: "\(versions), but \(counted(missing.count, "app")) with postbacks and without one: \(apps)",
        next: load)
    }
    return Step(
      name: "mapping", title: title, state: .done, evidence: "\(versions), the newest from \(newest)",
      next: newest > now ? "no postback is decoded by it before that moment" : nil)
  }

  private func forwarding(_ facts: SetupFacts, configured: [String]) -> Step {
    let title = "Networks forward their postbacks (optional)"
    let spans = facts.spans.filter { $0.origin.route == .forwarded }
    if !spans.isEmpty {
      let names = Set(spans.map(\.origin.name)).sorted().prefix(5).joined(separator: ", ")
      let last = spans.map(\.last).max().map { ", the last on \($0.day)" } ?? ""
      let copies = spans.reduce(0) { $0 + $1.valid }
      return Step(
        name: "networks", title: title, state: .done,
        evidence:
          "\(grouped(copies)) network \(copies == 1 ? "copy" : "copies") from \(printable(names))\(last)",
        next: nil)
    }
    let holders = Set(
      configured
        + facts.tokens.filter {
          ($0.use == .forward || $0.use == .forwardPath) && $0.revokedAt == nil
        }.map(\.name))
    let guide = "`skan network guide NAME` has what each network needs to know"
    guard !holders.isEmpty else {
      return Step(
        name: "networks", title: title, state: .notBegun, evidence: "no network has a token",
        next: "create one with `skan token create --network NAME`; \(guide)")
    }
    return Step(
      name: "networks", title: title, state: .waiting,
      evidence:
        "\(printable(holders.sorted().prefix(5).joined(separator: ", "))) can forward, and nothing has arrived",
      next: "ask for a first batch; \(guide)")
  }

  private func relays(_ facts: SetupFacts) -> Step {
    let title = "Partners receive what you relay (optional)"
    let look = "see why with `skan relay status`"
    let relays = facts.relays.filter { $0.removedAt == nil }
    guard !relays.isEmpty else {
      return Step(
        name: "relays", title: title, state: .notBegun, evidence: "no relay has run",
        next: "name a partner under `relays` in the configuration file, if one counts for you")
    }
    let failing = relays.filter { $0.failingSince != nil }.map(\.name)
    let delivered = relays.reduce(0) { $0 + $1.delivered }
    let evidence = "\(counted(delivered, "postback")) accepted by \(counted(relays.count, "relay"))"
    guard failing.isEmpty else {
      return Step(
        name: "relays", title: title, state: .waiting,
        evidence:
          "\(evidence); \(printable(failing.prefix(5).joined(separator: ", "))) failed at the last attempt",
        next: look)
    }
    let isWaiting = relays.contains { $0.delivered == 0 }
    return Step(
      name: "relays", title: title, state: isWaiting ? .waiting : .done, evidence: evidence,
      next: isWaiting ? "wait for the next genuine postback, or \(look)" : nil)
  }

  private func firstPostback(_ facts: SetupFacts) -> Step {
    let title = "The first postback of a real user is counted"
    let count = facts.postbacks(in: [.production], window: .first)
    guard count > 0, let first = facts.firstDay(in: .production) else {
      let hasTests = facts.postbacks(in: [.development, .test]) > 0
      return Step(
        name: "first-postback", title: title,
        state: hasTests || !facts.mappings.isEmpty ? .waiting : .notBegun,
        evidence: "no production postback",
        next:
          "wait: with SKAdNetwork 4 and AdAttributionKit it leaves 3 to 4 days after an install by an ad, or 1 to "
          + "2 days after the app locks window 1; if none comes after 5 days, look at the steps above")
    }
    return Step(
      name: "first-postback", title: title, state: .done,
      evidence: "\(counted(count, "postback")) of window 1 since \(first)",
      next: "print them with `skan report campaigns`")
  }

  private func values(_ facts: SetupFacts) -> Step {
    let title = "Values arrive and are decoded"
    let (winning, withheld) = facts.firstWindowValues
    guard winning > 0 else {
      return Step(
        name: "values", title: title, state: .notBegun, evidence: "no winning postback of window 1", next: nil
      )
    }
    let evidence =
      "\(counted(winning, "winning postback")) of window 1, \(winning - withheld) of them with a value"
    guard winning > withheld else {
      return Step(
        name: "values", title: title, state: .waiting, evidence: evidence,
        next:
          "Apple withholds values of campaigns with few installs: join small campaigns, or wait for more installs; "
          + "`skan report nulls` compares the shares")
    }
    return Step(
      name: "values", title: title, state: facts.mappings.isEmpty ? .waiting : .done, evidence: evidence,
      next: facts.mappings.isEmpty ? "load a mapping with `skan mapping load`" : nil)
  }

  private func laterWindows(_ facts: SetupFacts) -> Step {
    let title = "Postbacks of windows 2 and 3 arrive (optional)"
    let second = facts.postbacks(in: [.production], window: .second)
    let third = facts.postbacks(in: [.production], window: .third)
    let evidence = "\(second) of window 2, \(third) of window 3"
    if second > 0, third > 0 {
      return Step(name: "later-windows", title: title, state: .done, evidence: evidence, next: nil)
    }
    guard let first = facts.firstDay(in: .production) else {
      return Step(name: "later-windows", title: title, state: .notBegun, evidence: evidence, next: nil)
    }
    return Step(
      name: "later-windows", title: title, state: .waiting, evidence: "\(evidence), since \(first)",
      next:
        "window 2 arrives 8 to 13 days after an install, window 3 after 36 to 41 days, each only if the app sets a "
        + "value in that window and the campaign has enough installs")
  }
}

/// What the database has of an app, in few sums.
private struct SetupFacts {
  let spans: [ArrivalSpan]
  let copies: [DeviceCopies]
  let tokens: [StoredToken]
  let inboxArrivals: [StoredInboxArrival]
  let mappings: [StoredMapping]
  let relays: [RelayState]
  private let rows: [Environment: [CampaignRow]]

  init(from reader: LedgerReader, app: AppID?, amongNewest newest: Int64) throws(LedgerError) {
    spans = try reader.arrivalSpans()
    copies = try reader.deviceCopies(of: app, amongNewest: newest)
    tokens = try reader.tokens()
    inboxArrivals = try reader.inboxArrivals()
    mappings = try reader.mappings().filter { app == nil || $0.app == app }
    relays = try reader.relays()
    var rows: [Environment: [CampaignRow]] = [:]
    for environment in Environment.allCases {
      rows[environment] = try reader.campaigns(
        CampaignQuery(
          environment: environment, apps: app.map { [$0] } ?? [], dimensions: [.app, .window]))
    }
    self.rows = rows
  }

  var apps: Set<AppID> { Set((rows[.production] ?? []).filter { $0.counts.postbacks > 0 }.compactMap(\.app)) }

  func postbacks(in environments: [Environment], window: ConversionWindow? = nil) -> Int64 {
    environments.flatMap { rows[$0] ?? [] }.filter { window == nil || $0.window == window }
      .reduce(0) { $0 + $1.counts.postbacks }
  }

  func firstDay(in environment: Environment) -> Day? {
    (rows[environment] ?? []).filter { $0.counts.postbacks > 0 }.map(\.days.lowerBound).min()
  }

  /// Winning postbacks of window 1, and those of them without a value.
  var firstWindowValues: (winning: Int64, withheld: Int64) {
    var values: (winning: Int64, withheld: Int64) = (0, 0)
    for row in rows[.production] ?? [] where row.window == .first {
      values.winning += row.counts.postbacks - row.counts.assists
      values.withheld += row.counts.valueNull
    }
    return values
  }
}
