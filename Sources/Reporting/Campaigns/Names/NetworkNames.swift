import Ledger
import Values

/// The names of a network and of its campaigns, in the order of their campaigns and days.
///
/// There can be very many, and a daemon keeps them, so that their texts are bytes one after the other: a row is made of them where
/// it is asked for.
struct NetworkNames: Sendable {
  private struct Name {
    let from: Day
    let to: Day?
    let app: Int64?
    /// The first byte of its texts.
    let start: Int
    /// The bytes of each text; negative for none.
    let lengths: (name: Int32, adSet: Int32, creative: Int32, country: Int32, number: Int32)
  }

  private let network: String
  /// The network's own names.
  private(set) var own: [CampaignNameRow] = []
  private var campaigns = CampaignEndings<Name>()
  private var texts: [UInt8] = []
  /// Places by name and by the network's own number.
  private var places = PlaceIndex()

  init(_ network: String) { self.network = network }

  /// The memory that it takes, but for the network's own names.
  var bytes: Int { campaigns.bytes + texts.capacity + places.bytes }

  var hasCampaigns: Bool { !campaigns.isEmpty }

  /// Adds a row of the network; those of a campaign come in the order of their days.
  mutating func add(_ row: CampaignNameRow) {
    guard !row.campaign.isEmpty else {
      own.append(row)
      return
    }
    let place = Int32(campaigns.elements.count)
    let start = texts.count
    let lengths = (
      add(row.name), add(row.adSet), add(row.creative), add(row.country), add(row.number)
    )
    campaigns.add(
      Name(from: row.from, to: row.to, app: row.app, start: start, lengths: lengths), digits: row.campaign)
    places.add(place, as: row.name)
    if let number = row.number, number != row.name { places.add(place, as: number) }
  }

  private mutating func add(_ text: String?) -> Int32 {
    guard let text else { return -1 }
    texts += text.utf8
    return Int32(text.utf8.count)
  }

  /// A text, and the byte after it.
  private func text(_ start: Int, _ length: Int32) -> (text: String?, end: Int) {
    guard length >= 0 else { return (nil, start) }
    let end = start + Int(length)
    return (String(decoding: texts[start..<end], as: UTF8.self), end)
  }

  func row(_ place: Int32) -> CampaignNameRow {
    let row = campaigns.elements[Int(place)]
    let name = text(row.start, row.lengths.name)
    let adSet = text(name.end, row.lengths.adSet)
    let creative = text(adSet.end, row.lengths.creative)
    let country = text(creative.end, row.lengths.country)
    return CampaignNameRow(
      network: network, campaign: campaigns.digits[Int(place)], app: row.app, from: row.from, to: row.to,
      name: name.text ?? "", adSet: adSet.text, creative: creative.text, country: country.text,
      number: text(country.end, row.lengths.number).text)
  }

  private func name(_ place: Int32) -> String {
    let row = campaigns.elements[Int(place)]
    return text(row.start, row.lengths.name).text ?? ""
  }

  private func number(_ place: Int32) -> String? {
    let row = campaigns.elements[Int(place)]
    guard row.lengths.number >= 0 else { return nil }
    let before = [row.lengths.name, row.lengths.adSet, row.lengths.creative, row.lengths.country]
    return text(row.start + before.reduce(0) { $0 + Int(max(0, $1)) }, row.lengths.number).text
  }

  /// All names and numbers, in order.
  var words: [String] {
    var words: Set<String> = []
    for place in campaigns.elements.indices {
      words.insert(name(Int32(place)))
      if let number = number(Int32(place)) { words.insert(number) }
    }
    return words.sorted()
  }

  /// The places of the campaigns that a spend file can mean by a name or number, on whatever day.
  func places(called word: String) -> [Int32] {
    places.places(of: word) { name($0) == word || number($0) == word }
  }

  func called(_ word: String) -> [CampaignNameRow] { places(called: word).map(row) }

  /// The places of the names for exactly these digits.
  func places(of digits: String) -> [Int32] { campaigns.places(of: digits) }
  /// The places of the names for more digits, of which these are the last.
  func places(endingWith digits: String) -> [Int32] { campaigns.places(endingWith: digits) }
  /// The places of the names for digits that can be of the same campaign.
  func fittingPlaces(_ digits: String) -> [Int32] { campaigns.fittingPlaces(digits) }

  /// Whether a name that is of any app is for exactly these digits; without digits, whether one is the network's own.
  func hasName(of digits: String) -> Bool {
    digits.isEmpty
      ? own.contains { $0.app == nil } : places(of: digits).contains { period($0).app == nil }
  }

  /// The days of the name at a place, and its app; without a copy of all that is in it.
  func period(_ place: Int32) -> (from: Day, to: Day?, app: Int64?) {
    let names = campaigns.elements.span
    return (names[Int(place)].from, names[Int(place)].to, names[Int(place)].app)
  }

  /// The places of those campaigns that have a name on some of the days and can be an app's; of an app's own names and
  /// those of any app for the same digits its own, where these leave no day without one.
  func inForce(_ places: [Int32], app: Int64?, _ days: ClosedRange<Day>) -> [Int32] {
    var inForce: [Int32] = []
    for place in places {
      let (from, to, own) = period(place)
      guard from <= days.upperBound, to.map({ $0 > days.lowerBound }) ?? true,
        own == nil || app == nil || own == app
      else { continue }
      inForce.append(place)
    }
    guard inForce.count > 1, app != nil else { return inForce }
    let rows = inForce.map(row)
    let own = Dictionary(grouping: rows.filter { $0.app != nil }, by: \.campaign)
      .filter { CampaignNames.cover($0.value, days) }
    guard !own.isEmpty else { return inForce }
    return zip(inForce, rows).filter { $1.app != nil || own[$1.campaign] == nil }.map(\.0)
  }
}
