import JSONText
import MappingEditing
import Mappings
import Postbacks
import Testing
import Values

@Suite struct `Ready-made mappings` {
  private let now = Instant(seconds: 1_780_000_000)

  @Test(arguments: MappingModel.allCases, Mapping.Device.allCases)
  func `Each model is a mapping without any finding, for each protocol`(
    _ model: MappingModel, _ device: Mapping.Device
  ) throws {
    let app = try #require(AppID(525_463_029))
    let like = #"{"currency":"EUR","protocol":"\#(device.rawValue)","effective-from":"2026-08-01"}"#
    let document = model.document(inPlaceOf: Array(like.utf8), app: app, now: now)
    let reading = MappingDocument.check(document, at: now)
    let mapping = try #require(reading.sound)
    #expect(reading.findings.filter { device != .skan3 || $0.severity == .error } == [])
    #expect(mapping.app == app && mapping.currency.text == "EUR" && mapping.device == device)
    #expect(mapping.effectiveFrom.day.description == "2026-08-01")
    #expect(mapping.coarse.count == (device.hasWindows ? 3 : 0))
  }

  @Test func `A model keeps the head of the draft that it replaces, but not the name of another model`()
    throws
  {
    let app = try #require(AppID(1))
    let own = #"{"name":"Launch","partners":["meta"],"raise-only":true}"#
    func mapping(_ like: [UInt8], keepsHead: Bool = true) throws -> Mapping {
      let document = MappingModel.funnel.document(inPlaceOf: like, app: app, now: now, keepsHead: keepsHead)
      return try #require(MappingDocument.read(document).document?.mapping)
    }
    let kept = try mapping(Array(own.utf8))
    #expect(kept.name == "Launch" && kept.isRaiseOnly && !kept.partners.isEmpty)
    #expect(try mapping(Array(own.utf8), keepsHead: false).name == "Funnel")
    #expect(try mapping(MappingModel.revenue.template).name == "Funnel")
  }

  @Test func `A model without anything to take the head from is in US dollars and begins tomorrow`() throws {
    let app = try #require(AppID(1))
    let document = MappingModel.funnel.document(inPlaceOf: Array("no JSON".utf8), app: app, now: now)
    let mapping = try #require(MappingDocument.read(document).document?.mapping)
    #expect(mapping.currency.text == "USD" && mapping.device == .skan4)
    #expect(mapping.effectiveFrom == now.day.next.start)
  }
}
