@testable import Ledger
import OpenSSL
import PostbackFixtures
import Postbacks
import Values

extension SplitMix64 {
  fileprivate mutating func text(_ prefix: String, of count: Int = 4) -> String {
    "\(prefix)\(number(below: count))"
  }

  fileprivate mutating func maybe<Value>(_ value: (inout Self) -> Value) -> Value? {
    number(below: 3) == 0 ? nil : value(&self)
  }

  fileprivate mutating func moment() -> Instant { noon + Int64(number(below: 100_000)) }
  fileprivate mutating func amount() -> Int64 { Int64(number(below: 1 << 40)) - 1 << 20 }
  fileprivate mutating func day() -> Day { Day(number: 20_000 + Int32(number(below: 3))) }
  fileprivate mutating func app() -> AppID { known(AppID(Int64(1 + number(below: 3)))) }
  fileprivate mutating func document() -> [UInt8] {
    (0..<number(below: 40)).map { _ in UInt8(number(below: 256)) }
  }

  fileprivate mutating func list<Value>(_ value: (inout Self) -> Value) -> [Value] {
    (0..<number(below: 4)).map { _ in value(&self) }
  }
}

extension ChangeKind {
  /// Draws a change of this kind; few names and numbers, so that changes meet what others left.
  func drawn(_ random: inout SplitMix64) -> any LedgerChange {
    switch self {
    case .relayProgress:
      var state = RelayState(
        name: random.text("relay"), place: "https://a.example",
        cursor: RelayCursor(postback: random.amount(), copy: random.amount()))
      state.delivered = random.amount()
      (state.deliveredAt, state.failingSince) = (random.maybe { $0.moment() }, random.maybe { $0.moment() })
      (state.nextAt, state.failure) = (random.maybe { $0.moment() }, random.maybe { $0.text("failure") })
      var progress = RelayProgress(state)
      progress.added = random.list { Self.letter(&$0) }
      progress.changed = random.list { Self.letter(&$0) }
      progress.removed = random.list { Int64($0.number(below: 9)) }
      return progress
    case .relayRetry: return RelayRetry(relay: random.text("relay"))
    case .deadLetterRetry: return DeadLetterRetry(relay: random.text("relay"), nextAt: random.moment())
    case .tokenAddition:
      return TokenAddition(
        use: StoredToken.Use.allCases[random.number(below: StoredToken.Use.allCases.count)],
        name: random.text("holder"), digest: SHA256Digest(of: [UInt8(random.number(below: 40))]),
        createdAt: random.moment(), secret: random.maybe { $0.text("secret") },
        expiresAt: random.maybe { $0.moment() },
        limit: ReadLimit(
          apps: random.list { $0.app() },
          networks: random.list { known(AdNetworkID("n\($0.number(below: 3)).skadnetwork")) }))
    case .tokenRevocation:
      return TokenRevocation(id: Int64(random.number(below: 9)), revokedAt: random.moment())
    case .tokenUses:
      return TokenUses(uses: random.list { TokenUse(token: Int64($0.number(below: 9)), day: $0.day()) })
    case .mappings:
      // No two of one app have the same moment.
      let mappings = random.list { random in
        StoredMapping(
          source: random.text("file", of: 1000), app: random.app(),
          effectiveFrom: noon + Int64(random.number(below: 1 << 40)), digest: random.text("digest"),
          loadedAt: random.moment(), document: random.document())
      }
      return MappingExchange(
        known: random.maybe { SHA256Digest(of: [UInt8($0.number(below: 2))]) }, mappings: mappings,
        rejected: random.maybe { random in
          [
            RejectedMapping(
              source: "a", state: "rejected", reason: Sentence(name: random.text("reason")),
              since: random.moment(),
              keepsOld: random.number(below: 2) == 0)
          ]
        }, rejectedAt: random.maybe { $0.moment() },
        publication: random.maybe { random in
          MappingPublication(
            app: random.app(), effectiveFrom: random.moment(), document: random.document(), source: "a",
            publishedAt: random.moment(), publishedBy: random.text("author"),
            draft: random.maybe { $0.amount() }, replaced: random.maybe { $0.text("digest") },
            restored: random.maybe { $0.moment() })
        })
    case .servedMappings:
      return ServedMappings(
        served: random.list {
          ServedMapping(
            app: $0.app(), effectiveFrom: noon, digest: $0.text("digest"), since: $0.moment())
        })
    case .draftAddition:
      return DraftAddition(
        app: random.app(), name: random.text("draft"), document: random.document(), baseState: "state",
        baseFrom: random.maybe { $0.moment() }, author: random.text("author"), savedAt: random.moment(),
        most: 5)
    case .draftSaving:
      let id = Int64(random.number(below: 4))
      return DraftSaving(
        id: id, etag: random.text("etag"), name: random.text("draft"), document: random.document(),
        baseState: random.maybe { $0.text("state") }, author: random.text("author"),
        savedAt: random.moment())
    case .draftRemoval:
      return DraftRemoval(id: Int64(random.number(below: 6)), etag: random.maybe { $0.text("etag") })
    case .rowsStoring: return Self.rows(&random, Self.storing, Self.storing, Self.storing)
    case .rowsRemoval: return Self.rows(&random, Self.removal, Self.removal, Self.removal)
    case .worthStoring:
      let (app, from) = (random.app(), noon + Int64(random.number(below: 2)))
      return WorthStoring(
        app: app, effectiveFrom: from,
        rows: [
          ValueWorthRow(
            app: app, effectiveFrom: from,
            horizon: random.maybe { .days(1 + $0.number(below: 90)) } ?? .firstWindow,
            currency: "EUR", value: random.number(below: 67), each: random.list { Int64($0.number(below: 9)) }
          )
        ],
        finalHours: [
          FinalHourRow(app: app, effectiveFrom: from, value: random.number(below: 64), hour: 3, users: 4)
        ],
        windowUpdates: [
          WindowUpdateRow(
            app: app, effectiveFrom: from, window: random.number(below: 2) == 0 ? .second : .third,
            value: random.number(below: 67), users: 9, updated: Int64(random.number(below: 10)))
        ],
        withinValues: [
          WithinValueRow(
            app: app, effectiveFrom: from, horizon: .days(7), slope: 25 * random.number(below: 5), spread: 10,
            groups: 3, weight: 1_000_000)
        ])
    case .worthRemoval:
      return WorthRemoval(
        values: random.list {
          .init(app: $0.app(), effectiveFrom: noon + Int64($0.number(below: 2)), value: $0.number(below: 67))
        })
    case .usersImport: return UsersImportNote(at: random.moment(), rows: random.number(below: 3))
    case .alerts:
      return AlertsSaving(alerts: random.list { Self.alert(&$0) }, notices: random.list { Self.notice(&$0) })
    case .alertsForgetting: return AlertsForgetting(before: random.moment())
    case .digestNotices: return DigestNotices(notices: random.list { Self.notice(&$0) }, end: random.moment())
    case .noticeDelay:
      return NoticeDelay(
        webhook: random.text("hook"), id: random.text("notice"), nextAt: random.moment(),
        attempts: random.number(below: 9))
    case .noticeRemoval: return NoticeRemoval(webhook: random.text("hook"), id: random.text("notice"))
    case .lastEvent: return LastEventNote(event: .backup, at: random.moment())
    case .pruning:
      return Pruning(
        bodies: Pruning.Bodies.allCases[random.number(below: Pruning.Bodies.allCases.count)],
        before: noon + (Day.milliseconds / 2 + Int64(random.number(below: 600_000)) - 300_000),
        after: Int64(random.number(below: 9)))
    case .leased:
      return LeasedChange(
        job: random.text("job", of: 2), epoch: Int64(random.number(below: 4)),
        change: LastEventNote(event: .backup, at: random.moment()))
    case .leaseClaim:
      let at = random.moment()
      return LeaseClaim(
        job: random.text("job", of: 2), node: random.text("node"),
        renews: random.maybe { Int64($0.number(below: 4)) }, at: at,
        until: at + Int64(random.number(below: 4000)))
    case .purchase:
      return PurchaseStoring(
        environment: PurchaseEnvironment.allCases[random.number(below: 3)], app: random.app(),
        type: PurchaseType.allCases[random.number(below: PurchaseType.allCases.count)], at: random.moment(),
        product: random.text("product"), currency: random.maybe { _ in "EUR" } ?? "",
        micros: Int64(random.number(below: 9)),
        digests: .init(
          account: [UInt8(random.number(below: 4))], transaction: [UInt8(random.number(below: 9))]),
        notification: [UInt8(random.number(below: 40))])
    case .purchaseKey: return PurchaseKeyStoring(key: random.document())
    case .purchasePruning: return PurchasePruning(before: random.moment())
    // A higher one ends what follows.
    case .levelRaise: return LevelRaise(level: Int64(random.number(below: 2)))
    case .checkpointMark: return CheckpointMark(at: random.moment())
    case .checkpointComparison:
      let figures = CheckpointFigures(text: "postbacks: \(random.number(below: 3))")
      return CheckpointComparison(
        Checkpoint(
          number: Int64(random.number(below: 4)), at: random.moment(), newest: .init(), figures: figures),
        of: random.text("node"))
    case .journalStart:
      return JournalStart(
        postbacks: random.amount(), sumOfMoments: random.amount(), otherRows: random.amount())
    }
  }

  private static func letter(_ random: inout SplitMix64) -> DeadLetter {
    DeadLetter(
      id: Int64(random.number(below: 9)), relay: random.text("relay"), postback: random.amount(),
      copy: random.maybe { $0.amount() }, receivedAt: random.moment(), failedAt: random.moment(),
      status: random.maybe { $0.number(below: 600) }, reason: random.text("reason"),
      nextAt: random.maybe { $0.moment() })
  }

  private static func alert(_ random: inout SplitMix64) -> AlertRecord {
    AlertRecord(
      id: random.text("alert"), kind: "kind", severity: "warning", app: random.maybe { $0.app() },
      network: random.maybe { $0.text("network") }, campaign: random.maybe { $0.text("campaign") },
      origin: random.maybe { $0.text("origin") }, since: random.moment(), value: random.fraction(),
      bound: -0.5,
      sentence: Sentence("\(name: random.text("name")): \(grouped: random.number(below: 9))"),
      remedy: Sentence(name: "remedy"), command: "command", clearSince: random.maybe { $0.moment() },
      resolvedAt: random.maybe { $0.moment() })
  }

  private static func notice(_ random: inout SplitMix64) -> AlertNotice {
    AlertNotice(
      webhook: random.text("hook"), id: random.text("notice"), createdAt: random.moment(),
      nextAt: random.moment(), attempts: random.number(below: 3), body: random.document())
  }

  private static func storing<Row: ReferenceRow>(_ rows: [Row], _ random: inout SplitMix64)
    -> any LedgerChange
  {
    RowsStoring(rows: rows, importedAt: random.maybe { $0.moment() })
  }

  private static func removal<Row: ReferenceRow>(_ rows: [Row], _ random: inout SplitMix64)
    -> any LedgerChange
  {
    RowsRemoval<Row>(keys: rows.map { Row.table.key(of: $0) })
  }

  private static func rows(
    _ random: inout SplitMix64, _ spend: ([SpendRow], inout SplitMix64) -> any LedgerChange,
    _ names: ([CampaignNameRow], inout SplitMix64) -> any LedgerChange,
    _ views: ([SavedView], inout SplitMix64) -> any LedgerChange
  ) -> any LedgerChange {
    switch random.number(below: 3) {
    case 0:
      let rows = random.list { random in
        SpendRow(
          day: random.day(), network: random.text("n", of: 2), campaign: random.text("c", of: 2),
          app: random.maybe { $0.app().number }, currency: "EUR", micros: random.amount(),
          clicks: random.maybe { $0.amount() })
      }
      return spend(rows, &random)
    case 1:
      let rows = random.list { random in
        CampaignNameRow(
          network: random.text("n", of: 2), campaign: random.text("c", of: 2), app: nil, from: random.day(),
          to: random.maybe { $0.day() }, name: random.text("name"), adSet: random.maybe { $0.text("set") },
          creative: nil, country: nil, number: random.maybe { $0.text("1734") })
      }
      return names(rows, &random)
    default:
      let rows = random.list { random in
        SavedView(
          path: "/campaigns", owner: ViewOwner(stored: random.text("owner", of: 2)),
          name: random.text("view", of: 3),
          query: random.text("q"), isShared: random.number(below: 2) == 0)
      }
      return views(rows, &random)
    }
  }
}
