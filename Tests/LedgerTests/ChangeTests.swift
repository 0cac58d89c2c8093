@testable import Ledger
import OpenSSL
import PostbackFixtures
import Postbacks
import Testing
import Values

struct `Changes of a ledger` {
  private static let origins = [Origin(.advertiserCopy), Origin(.forwarded, name: "acme")]

  private func drawnReceipt(_ random: inout SplitMix64) -> Receipt {
    let time: Instant = noon + (Day.milliseconds / 2 + (Int64(random.number(below: 600)) - 300) * 1000)
    switch random.number(below: 5) {
    case 0: return rejected("\(random.number(below: 9))", source: "s\(random.number(below: 4))", at: time)
    default:
      let id = "\(random.number(below: 60))"
      return DrawnPostback(id: id, &random).receipt(at: time, from: Self.origins[random.number(below: 2)])
    }
  }

  private func drawn(_ count: Int, _ random: inout SplitMix64) -> [AnyChange] {
    (0..<count).map { _ in
      if random.number(below: 2) == 0 { return .receipt(drawnReceipt(&random)) }
      let kind = ChangeKind.allCases[random.number(below: ChangeKind.allCases.count)]
      return .other(kind.drawn(&random))
    }
  }

  private func read(_ bytes: [UInt8]) throws -> [AnyChange] {
    var decoder = ChangeDecoder(bytes)
    var changes: [AnyChange] = []
    while decoder.rest > 0 { changes.append(try AnyChange.next(in: &decoder).get()) }
    return changes
  }

  @Test(arguments: ChangeKind.allCases)
  func `Every kind has the same bytes once it was read from them`(kind: ChangeKind) throws {
    var random = SplitMix64(seed: UInt64(kind.rawValue))
    for _ in 0..<50 {
      let bytes = AnyChange.bytes(of: [.other(kind.drawn(&random))])
      #expect(bytes[0] == kind.rawValue)
      let again = try read(bytes)
      #expect(AnyChange.bytes(of: again) == bytes)
    }
  }

  @Test(arguments: ChangeKind.allCases)
  func `Every kind keeps its bytes from release to release`(kind: ChangeKind) {
    var random = SplitMix64(seed: UInt64(kind.rawValue))
    let bytes = AnyChange.bytes(of: (0..<50).map { _ in .other(kind.drawn(&random)) })
    let digest = String(SHA256Digest(of: bytes).hex.prefix(8))
    #expect(Self.digests[kind] == digest, "\(kind)")
  }

  /// The beginning of the SHA-256 of the bytes of changes as the test draws them.
  private static let digests: [ChangeKind: String] = [
    .purchase: "2d542c83", .purchaseKey: "44825c2b", .purchasePruning: "f1523cf7",
    .relayProgress: "3652f196", .relayRetry: "342c668c", .deadLetterRetry: "4cf9e719",
    .tokenAddition: "1beaf91a", .tokenRevocation: "4c80326c", .tokenUses: "61baab1a",
    .mappings: "220080c5", .servedMappings: "58fa31a4", .draftAddition: "ef90b181",
    .draftSaving: "b3497dbb", .draftRemoval: "45c6a7ce", .rowsStoring: "b9a0736c",
    .rowsRemoval: "cf764feb", .worthStoring: "20506e7d", .worthRemoval: "276858e0",
    .usersImport: "d03de8a6", .alerts: "97820d3f", .alertsForgetting: "598b2654",
    .digestNotices: "6aaedc4d", .noticeDelay: "6bd3a2d8", .noticeRemoval: "af923ce4",
    .lastEvent: "45157583", .pruning: "002fc653", .journalStart: "cd59a9e7", .leaseClaim: "b6da314a",
    .leased: "73491f52", .levelRaise: "ddf54454", .checkpointMark: "87e46100",
    .checkpointComparison: "1371c504",
  ]

  @Test func `A change of rows has each of their columns`() throws {
    let row = CampaignNameRow(
      network: "n", campaign: "39", from: Day(number: 20_000), to: nil, name: "Winter", adSet: nil,
      creative: nil,
      country: "DE")
    let columns = CampaignNameRow.table.fields(row)
    func read(_ count: Int) throws -> [CampaignNameRow] {
      var bytes = ChangeEncoder()
      bytes.add(CampaignNameRow.table.name, Instant?.none, [Array(columns.prefix(count))])
      var decoder = ChangeDecoder(bytes.bytes)
      return try RowsStoring<CampaignNameRow>(from: &decoder).rows
    }
    #expect(try read(columns.count) == [row])
    #expect(throws: ChangeDefect.self) { try read(columns.count - 1) }
  }

  @Test func `A receipt has the same bytes once it was read from them`() throws {
    var random = SplitMix64(seed: 1)
    for _ in 0..<300 {
      let bytes = AnyChange.bytes(of: [.receipt(drawnReceipt(&random))])
      #expect(AnyChange.bytes(of: try read(bytes)) == bytes)
    }
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func `Bytes of changes make the same rows as the changes, in any pieces`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let changes = drawn(400, &random)
    let direct = try ScratchDatabase()
    let writer = try LedgerWriter(path: direct.path)
    func write(_ change: some LedgerChange) { _ = try? LedgerFile.existing(direct.path).write(change) }
    for change in changes {
      switch change {
      case .receipt(let receipt): _ = try writer.commit([receipt])
      case .importing: break
      case .other(let change): write(change)
      }
    }
    let expected = try tables(of: direct.path)
    #expect(expected.count > 20 && expected["postback"] != nil)
    let replayed = try ScratchDatabase()
    var rest = try read(AnyChange.bytes(of: changes))[...]
    while !rest.isEmpty {
      let piece = rest.prefix(1 + random.number(below: 120))
      rest = rest.dropFirst(piece.count)
      _ = try LedgerWriter(path: replayed.path).apply(Array(piece))
    }
    let found = try tables(of: replayed.path)
    for table in Set(expected.keys).union(found.keys).sorted() {
      #expect(found[table] == expected[table], "\(table)")
    }
  }

  @Test func `Bytes that were changed are read as changes or rejected, whatever they are`() throws {
    var random = SplitMix64(seed: 5)
    var rejections = 0
    for _ in 0..<3000 {
      var bytes = AnyChange.bytes(of: drawn(3, &random))
      for _ in 0..<(1 + random.number(below: 4)) where !bytes.isEmpty {
        switch random.number(below: 3) {
        case 0: bytes[random.number(below: bytes.count)] = UInt8(random.number(below: 256))
        case 1: bytes.removeLast(1 + random.number(below: bytes.count))
        default: bytes.insert(UInt8(random.number(below: 256)), at: random.number(below: bytes.count))
        }
      }
      if (try? read(bytes)) == nil { rejections += 1 }
    }
    #expect(rejections > 1000)
  }

  @Test func `Whatever bytes of changes hold, a ledger applies it or leaves it out, and goes on`() throws {
    var random = SplitMix64(seed: 11)
    let scratch = try ScratchDatabase()
    let writer = try LedgerWriter(path: scratch.path)
    for _ in 0..<600 {
      var bytes = AnyChange.bytes(of: drawn(4, &random))
      for _ in 0..<(1 + random.number(below: 6)) where !bytes.isEmpty {
        bytes[random.number(below: bytes.count)] = UInt8(random.number(below: 256))
      }
      var decoder = ChangeDecoder(bytes)
      var changes: [AnyChange] = []
      while decoder.rest > 0, let next = try? AnyChange.next(in: &decoder) {
        if case .success(let change) = next { changes.append(change) }
      }
      _ = try writer.apply(changes)
    }
    #expect(try LedgerReader(path: scratch.path).examine().damage == [])
  }

  @Test(arguments: [Int64.min, .max, 253_402_300_800_000])
  func `A moment that no calendar has is no field of a change`(milliseconds: Int64) {
    var bytes = ChangeEncoder()
    bytes.add(milliseconds)
    #expect(throws: ChangeDefect.badValue(of: "moment")) {
      var decoder = ChangeDecoder(bytes.bytes)
      _ = try decoder.next(Instant.self)
    }
  }

  @Test func `A kind that a program does not know is passed over, and the next change is read`() throws {
    let known = AnyChange.other(RelayRetry(relay: "a"))
    var decoder = ChangeDecoder([200, 3, 1, 2, 3] + AnyChange.bytes(of: [known]))
    let first = try AnyChange.next(in: &decoder)
    guard case .failure(.unknownKind(200)) = first else {
      Issue.record("found \(first)")
      return
    }
    #expect(AnyChange.bytes(of: [try AnyChange.next(in: &decoder).get()]) == AnyChange.bytes(of: [known]))
  }

  @Test func `A change that a rule of the database forbids undoes nothing of the others`() throws {
    let scratch = try ScratchDatabase()
    func token(_ number: UInt8) -> AnyChange {
      .other(
        TokenAddition(
          use: .read, name: "a", digest: SHA256Digest(of: [number]), createdAt: noon, secret: nil,
          expiresAt: nil, limit: .none))
    }
    let failures = try LedgerWriter(path: scratch.path).apply([
      token(1), .receipt(rejected("x")), token(1), token(2),
    ])
    #expect(failures.map { $0 != nil } == [false, false, true, false])
    let reader = try LedgerReader(path: scratch.path)
    #expect(try reader.tokens().count == 2)
    #expect(try reader.rejectedBodies(identifier: "x").count == 1)
  }

  @Test func `A ledger that is open takes changes of its pages with the postbacks, and names a mistake`()
    throws
  {
    let scratch = try ScratchDatabase()
    let ledger = try PostbackLedger(path: scratch.path)
    let tokens = TokenStore(ledger)
    let id = try tokens.add(.read, name: "a", token: "secret", now: noon)
    #expect(throws: LedgerError.self) { try tokens.add(.read, name: "b", token: "secret", now: noon) }
    #expect(try tokens.revoke(id, now: noon + 1))
    #expect(try !tokens.revoke(id, now: noon + 2))
    ledger.close()
    #expect(throws: LedgerError.unavailable) { try tokens.revoke(id, now: noon + 3) }
    #expect(try LedgerReader(path: scratch.path).tokens().map(\.revokedAt) == [noon + 1])
  }
}
