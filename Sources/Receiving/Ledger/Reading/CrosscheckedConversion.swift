public import Postbacks
import SQLite
public import Values
import Verification

/// One conversion, as the devices and as the network sent it.
public struct CrosscheckedConversion: Equatable, Sendable {
  public struct Side: Equatable, Sendable {
    /// When its first copy came.
    public internal(set) var firstAt: Instant
    /// The value of its first copy, or of the first one that disagrees with what is counted; `nil` where that copy's
    /// body is not kept or can't be read.
    public internal(set) var value: ConversionValue?
  }

  /// A field that two valid copies can disagree about.
  public struct Fields: OptionSet, Equatable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    public static let value = Fields(rawValue: 1)
    public static let country = Fields(rawValue: 2)
    public static let other = Fields(rawValue: 4)
  }

  /// The network, in lower case.
  public let network: String
  /// A number of the network in this database, which is compared in less time than its name.
  public let networkNumber: Int64
  public let app: AppID
  public let version: ProtocolVersion
  public let window: ConversionWindow
  public let outcome: Outcome
  /// When its first copy of any side came.
  public let firstAt: Instant
  /// What devices sent, at either address; `nil` where they sent nothing.
  public internal(set) var device: Side?
  /// What the network passed on; `nil` where it passed on nothing.
  public internal(set) var forwarded: Side?
  /// The fields that the sides disagree about; empty where one side is missing.
  public internal(set) var differences: Fields = []
  /// Whether a device sent it to the network's own address.
  public internal(set) var cameToNetworkAddress = false
  /// Whether a body with its identifier was rejected that a device had sent.
  public internal(set) var isDeviceCopyRejected = false
  /// Whether a body with its identifier was rejected that a network had forwarded.
  public internal(set) var isForwardedCopyRejected = false
}

extension LedgerReader {
  /// Visits conversions together with who sent them, in the order of their rows.
  ///
  /// Postbacks and their further copies are read side by side, each table once from its beginning to its end.
  ///
  /// - Parameters:
  ///   - query: Which conversions, by their first copy.
  public func forEachSidedConversion(_ query: PostbackQuery, _ visit: (CrosscheckedConversion) -> Void)
    throws(LedgerError)
  {
    guard let conditions = try conditions(of: query) else { return }
    guard let rows = try rows(for: query) else { return }
    let rejected = try rejectedIdentifiers(of: conditions)
    let routes = try origins().mapValues(\.route)
    var open: SidesOfConversion?
    try connection.prepare(
      """
      SELECT p.id, p.origin, p.received_at, p.version, p.network, p.app, p.window, p.outcome, p.value,
        \(rejected.isEmpty ? "NULL" : "p.identifier"), NULL
      FROM postback p WHERE \(conditions)
      UNION ALL
      SELECT s.postback, s.origin, s.received_at, NULL, NULL, NULL, NULL, NULL, NULL, s.conflict,
        CASE WHEN s.conflict IS NOT NULL THEN s.body END
      FROM postback_copy s WHERE s.postback BETWEEN \(rows.lowerBound) AND \(rows.upperBound) ORDER BY 1
      """
    ).forEachRow { row in
      let route = routes[row.count(1)] ?? .file
      let at = Instant(milliseconds: row.count(2))
      if !row.isNull(3) {
        if let done = open?.whole { visit(done) }
        open = SidesOfConversion(row, at: at, networks: self.networks)
        open?.add(route, at: at, conflict: nil, body: [])
        if !rejected.isEmpty { open?.look(for: row.text(9) ?? "", in: rejected) }
      } else if open?.row == row.count(0) {
        let conflict = row.text(9)
        open?.add(route, at: at, conflict: conflict, body: conflict == nil ? [] : row.bytes(10))
      }
    }
    if let done = open?.whole { visit(done) }
  }

  /// The identifiers of conversions that rejected bodies claim, by whether a network forwarded the body or a device
  /// sent it.
  ///
  /// Any client can send bodies with any identifier, so those of no conversion are not loaded. The order of the join is
  /// fixed, because only `rejected` has an index of identifiers.
  private func rejectedIdentifiers(of conditions: String) throws(LedgerError) -> RejectedIdentifiers {
    var found = RejectedIdentifiers()
    try connection.prepare(
      """
      SELECT DISTINCT r.identifier, o.route FROM postback p CROSS JOIN rejected r ON r.identifier = p.identifier
        JOIN origin o ON o.id = r.origin
      WHERE EXISTS(SELECT 1 FROM rejected WHERE identifier IS NOT NULL) AND r.identifier IS NOT NULL AND \(conditions)
      """
    ).forEachRow { row in
      guard let identifier = row.text(0) else { return }
      switch Route(rawValue: row.text(1) ?? "") {
      case .forwarded: found.forwarded.insert(identifier)
      case .advertiserCopy, .networkAddress: found.device.insert(identifier)
      case .file, nil: break
      }
    }
    return found
  }
}

private struct RejectedIdentifiers {
  var device: Set<String> = []
  var forwarded: Set<String> = []
  var isEmpty: Bool { device.isEmpty && forwarded.isEmpty }
}

/// A conversion whose copies are being collected.
private struct SidesOfConversion {
  let row: Int64
  private let value: ConversionValue
  private var conversion: CrosscheckedConversion
  private var deviceFields: CrosscheckedConversion.Fields = []
  private var forwardedFields: CrosscheckedConversion.Fields = []

  init?(_ row: borrowing Row, at time: Instant, networks: [Int64: String]) {
    // Codes of a newer program can't be here, because its file would not have been opened.
    guard let version: ProtocolVersion = decoded(row.integer(3), by: { $0.code }),
      let app = AppID(row.count(5)), let window = ConversionWindow(rawValue: Int(row.count(6))),
      let outcome: Outcome = decoded(row.integer(7), by: { $0.code }),
      let value = ConversionValue(code: row.integer(8))
    else { return nil }
    self.row = row.count(0)
    self.value = value
    conversion = CrosscheckedConversion(
      network: networks[row.count(4)] ?? "", networkNumber: row.count(4), app: app, version: version,
      window: window, outcome: outcome,
      firstAt: time)
  }

  mutating func look(for identifier: String, in rejected: RejectedIdentifiers) {
    conversion.isDeviceCopyRejected = rejected.device.contains(identifier)
    conversion.isForwardedCopyRejected = rejected.forwarded.contains(identifier)
  }

  mutating func add(_ route: Route, at time: Instant, conflict: String?, body: [UInt8]) {
    let fields = Self.fields(conflict)
    // Only a copy that disagrees with the first one in the value has a value of its own.
    let told = fields.contains(.value) ? PostbackReading(body).postback?.claimed.value : value
    switch route {
    case .networkAddress, .advertiserCopy:
      Self.add(time, fields, told, to: &conversion.device, &deviceFields)
      if route == .networkAddress { conversion.cameToNetworkAddress = true }
    case .forwarded: Self.add(time, fields, told, to: &conversion.forwarded, &forwardedFields)
    case .file: break
    }
  }

  private static func add(
    _ time: Instant, _ fields: CrosscheckedConversion.Fields, _ value: ConversionValue?,
    to side: inout CrosscheckedConversion.Side?, _ known: inout CrosscheckedConversion.Fields
  ) {
    if var earlier = side {
      earlier.firstAt = min(earlier.firstAt, time)
      // A correct copy beside a conflicting one must not hide it.
      if fields.contains(.value), !known.contains(.value) { earlier.value = value }
      side = earlier
    } else {
      side = CrosscheckedConversion.Side(firstAt: time, value: value)
    }
    known.formUnion(fields)
  }

  private static func fields(_ conflict: String?) -> CrosscheckedConversion.Fields {
    guard let conflict else { return [] }
    var fields: CrosscheckedConversion.Fields = []
    for name in conflict.split(separator: ",") {
      switch name {
      case "value": fields.insert(.value)
      case "country": fields.insert(.country)
      default: fields.insert(.other)
      }
    }
    return fields
  }

  /// The conversion with the fields that its sides disagree about.
  ///
  /// Conflicts are with the first copy, which can be of neither side, such as one from a file. Where both sides
  /// disagree with it in the value, the values themselves decide.
  var whole: CrosscheckedConversion {
    var whole = conversion
    guard let device = whole.device, let forwarded = whole.forwarded else { return whole }
    whole.differences = deviceFields.symmetricDifference(forwardedFields)
    if deviceFields.contains(.value), forwardedFields.contains(.value), device.value != forwarded.value {
      whole.differences.insert(.value)
    }
    return whole
  }
}
