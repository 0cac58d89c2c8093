@testable import EventFiles
import JSONText
import Mappings
import Postbacks
import Signing
import Simulation
import SkanMapping
import System
import TestSupport
import Testing
import Values
import Verification

@testable import skan_sample_app

@Suite struct `The sample app` {
  /// A mapping of ranges of purchases and revenue, whose values state what a user did.
  private func mapping(_ device: Mapping.Device) throws -> Mapping {
    var fine: [FineRule] = []
    for (index, count) in [0, 1, 2, 4].enumerated() {
      for (step, from) in [Int64(0), 5, 20].enumerated() {
        let to: AmountRange.Bound = step == 2 ? .unbounded : .open(Amount(micros: [5, 20][step] * 1_000_000))
        let range = try #require(AmountRange(lower: .closed(Amount(micros: from * 1_000_000)), upper: to))
        let most: Int? = index == 3 ? nil : [0, 1, 3][index]
        fine.append(
          FineRule(
            value: try #require(FineValue(Int64(index * 3 + step))),
            conditions: Conditions(
              events: [
                EventCondition(name: "purchase", count: try #require(CountRange(min: count, max: most)))
              ], revenue: RevenueCondition(range, usd)),
            lock: index == 3 && step == 2))
      }
    }
    let active = CoarseRule(value: .low)
    let buyer = CoarseRule(
      value: .high, conditions: Conditions(events: [EventCondition(name: "purchase")]))
    let later = CoarseRules(totals: .window, rules: [active, buyer])
    return Mapping(
      name: "sample", app: try #require(AppID(525_463_029)), currency: usd,
      effectiveFrom: Instant(milliseconds: epoch), device: device, fine: fine,
      coarse: device.hasWindows ? [.second: later, .third: later] : [:])
  }

  private func user(_ number: Int, _ random: inout SplitMix64) -> UserHistory {
    let events = (0..<random.number(below: 9)).map { _ in
      UserEvent(
        secondsSinceInstall: Int64(random.number(below: Int(random.happens(0.6) ? 2 * day : 34 * day))),
        name: random.happens(0.5) ? "purchase" : "level",
        revenue: random.happens(0.7)
          ? Money(micros: Int64(random.number(below: 9_000_000)), currency: usd) : nil)
    }.sorted { $0.secondsSinceInstall < $1.secondsSinceInstall }
    return UserHistory(name: "user \(number)", events: events)
  }

  /// What a window holds at the moment when its postback is prepared.
  private struct Sent {
    var value = ConversionValue.absent
    var at: Int64
  }

  /// The windows of a device that takes the calls; the last call of each counts until a lock.
  private func windows(_ updates: [AppUpdate], _ device: Mapping.Device) -> [ConversionWindow: Sent] {
    var sent: [ConversionWindow: Sent] = [:]
    if !device.hasWindows { sent[.first] = Sent(value: FineValue(0).map { .fine($0) } ?? .absent, at: 0) }
    for update in updates {
      guard let window = ConversionWindow(rawValue: update.window - 1) else { continue }
      if let fine = update.fine.flatMap({ FineValue(Int64($0)) }) {
        sent[window] = Sent(value: .fine(fine), at: update.secondsSinceConversion)
      } else if let coarse = update.coarse.flatMap({ CoarseValue(rawValue: $0.rawValue) }) {
        sent[window] = Sent(value: .coarse(coarse), at: update.secondsSinceConversion)
      }
    }
    return sent
  }

  private func body(_ window: ConversionWindow, _ value: ConversionValue, _ device: Mapping.Device, id: Int)
    -> JSONOutput
  {
    let digits = String(id, radix: 16)
    let tail = String(repeating: "0", count: 12 - digits.count) + digits
    var members: [JSONOutput.Member] =
      device == .aak
      ? [
        .init("advertised-item-identifier", .integer(525_463_029)), .init("conversion-type", "download"),
        .init("ad-network-identifier", "example123.adattributionkit"),
        .init("impression-type", "app-impression"),
        .init("postback-sequence-index", .integer(Int64(window.rawValue))),
        .init("source-identifier", "5239"), .init("did-win", true),
        .init("postback-identifier", .string("6AAFB7A5-0170-41B5-BBE4-" + tail.uppercased())),
        .init("ad-interaction-type", "click"),
      ]
      : [
        .init("version", device == .skan3 ? "3.0" : "4.0"), .init("ad-network-id", "example123.skadnetwork"),
        device == .skan3
          ? .init("campaign-id", .integer(42)) : .init("source-identifier", .string("5239")),
        .init("app-id", .integer(525_463_029)),
        .init("transaction-id", .string("6aafb7a5-0170-41b5-bbe4-" + tail)), .init("redownload", false),
        .init("fidelity-type", .integer(1)), .init("did-win", true),
      ]
    if device == .skan4 { members.append(.init("postback-sequence-index", .integer(Int64(window.rawValue)))) }
    switch value {
    case .fine(let fine): members.append(.init("conversion-value", .integer(Int64(fine.number))))
    case .coarse(let coarse): members.append(.init("coarse-conversion-value", .string(coarse.rawValue)))
    case .absent, .rejected: break
    }
    return .object(members)
  }

  @Test(arguments: Mapping.Device.allCases)
  func `The sample app sets values whose signed postbacks decode to what happened`(
    device: Mapping.Device
  ) throws {
    var random = SplitMix64(seed: 9)
    let mapping = try mapping(device)
    let app = try SampleApp(document: mapping.appDocument(), currency: usd)
    let keys = try SigningKeys.generate()
    let keyring = try Keyring(trusting: keys.keys)
    var decoded = 0
    for number in 0..<120 {
      let user = user(number, &random)
      let calls = try app.play(user, from: Instant(milliseconds: epoch))
      for (window, sent) in windows(calls.map(\.update), device) {
        let judgement = keyring.judge(try keys.sign(body(window, sent.value, device, id: number)))
        #expect(judgement.state == .valid)
        let postback = try #require(judgement.verified)
        guard
          case .rules(let meanings) = mapping.decode(
            postback.claimed.value, window: postback.attested.window)
        else {
          Issue.record("\(user.name) has a value without a rule: \(sent.value)")
          continue
        }
        let meaning = try #require(meanings.count == 1 ? meanings.first : nil)
        // What the user did until the value was set, in the window alone where the rule counts by window.
        let seen = user.events.filter {
          $0.secondsSinceInstall <= sent.at
            && (window == .first || window.seconds.contains($0.secondsSinceInstall))
        }
        for condition in meaning.events {
          #expect(condition.count.contains(seen.count { $0.name == condition.name }), "\(user.name)")
        }
        if let total = meaning.total {
          let micros = seen.reduce(0) { $0 + ($1.revenue?.amount.micros ?? 0) }
          #expect(total.range.contains(Amount(micros: micros)), "\(user.name)")
        }
        decoded += 1
      }
    }
    #expect(decoded > 100)
  }

  @Test func `The sample app reads an events file and prints one row for each call`() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "user,time,event,revenue\nann,100,open,\nann,160,purchase,6\nbob,100,open,\nbob,200,re-engagement,\n",
      to: "events.csv")
    let app = try SampleApp(document: mapping(.aak).appDocument(), currency: usd)
    let users = try app.users(folder.file("events.csv"))
    let lines = try users.flatMap { try app.play($0, from: Instant(milliseconds: epoch)) }.map(\.line)
    #expect(
      lines == [
        "ann,0,install,,1,0,,false", "ann,60,install,,1,4,,false", "bob,0,install,,1,0,,false",
        "bob,0,re-engagement,,1,0,,false",
      ])
  }
}
