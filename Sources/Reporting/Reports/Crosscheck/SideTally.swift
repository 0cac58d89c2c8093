import Ledger
import Postbacks
import Values

/// Conversions that all questions about copies treat alike.
struct SideCell: Equatable {
  enum Sides: UInt8 { case both, device, network }

  let network: String
  let app: Int64
  let version: ProtocolVersion
  let window: ConversionWindow
  let sides: Sides
  /// When they came first: a day, or for conversions of one side that are recent an hour.
  let since: Instant
  /// The place of the value among those of ``ValueSlot``; of the device copy where there are both.
  let slot: UInt8
  let differences: UInt8
  let isWon: Bool
  /// Whether the missing side's copy came and was rejected.
  let isRejected: Bool
}

/// The places of values in distributions: 0 through 63, low, medium, high, none, impossible.
enum ValueSlot {
  static let count = 69
  static let none = 67

  static func of(_ value: ConversionValue?) -> Int {
    switch value {
    case .fine(let value): Int(value.number)
    case .coarse(.low): 64
    case .coarse(.medium): 65
    case .coarse(.high): 66
    case .absent: none
    case .rejected, nil: 68
    }
  }

  /// What people call the value of a place.
  static func name(_ slot: Int) -> String {
    slot < 64 ? "\(slot)" : ["low", "medium", "high", "none", "impossible"][slot - 64]
  }
}

/// How many minutes lie between two sides, for a quantile.
struct DelayCounts: Equatable, Sendable {
  private var minutes: [Int64: Int64] = [:]
  private(set) var count: Int64 = 0

  mutating func add(milliseconds: Int64) {
    minutes[milliseconds / 60_000, default: 0] += 1
    count += 1
  }

  static func + (a: Self, b: Self) -> Self {
    var sum = a
    sum.minutes.merge(b.minutes, uniquingKeysWith: +)
    sum.count += b.count
    return sum
  }

  /// The delay in minutes that a share of the pairs stays within, from 0 through 1; `nil` without pairs.
  func quantile(_ share: Double) -> Int64? {
    var rest = Int64(nearest: (share * Double(count)).rounded(.up))
    for (minute, count) in minutes.sorted(by: { $0.key < $1.key }) {
      rest -= count
      if rest <= 0 { return minute }
    }
    return nil
  }
}

/// What one pass over the conversions collects.
struct SideTally {
  /// A row's key: a network, an app and a window.
  struct Place: Hashable {
    let network: String
    let app: Int64
    let window: ConversionWindow
  }

  /// What is known of the copies of a network or an app.
  struct Span: Equatable {
    private(set) var first: Instant
    private(set) var last: Instant

    mutating func extend(to time: Instant) {
      first = min(first, time)
      last = max(last, time)
    }

    init(_ time: Instant) { (first, last) = (time, time) }
  }

  /// What distinguishes a cell, in numbers: they are hashed in less time than its words, once for each conversion.
  private struct CellKey: Hashable {
    let network: Int64
    let app: Int64
    let since: Int64
    let flags: Int64

    private static let versions = ProtocolVersion.allCases

    init(_ network: Int64, _ cell: SideCell) {
      (self.network, app, since) = (network, cell.app, cell.since.milliseconds)
      var flags = Int64(Self.versions.firstIndex(of: cell.version) ?? -1)
      flags = flags << 8 | Int64(cell.window.rawValue)
      flags = flags << 8 | Int64(cell.sides.rawValue)
      flags = flags << 8 | Int64(cell.slot)
      flags = flags << 8 | Int64(cell.differences)
      self.flags = flags << 2 | (cell.isWon ? 2 : 0) | (cell.isRejected ? 1 : 0)
    }
  }

  /// Conversions of one side that came within so many milliseconds are counted by the hour.
  static let recent: Int64 = 10 * Day.milliseconds

  private(set) var cells: [(cell: SideCell, count: Int64)] = []
  private var places: [CellKey: Int] = [:]
  private(set) var delays: [Place: DelayCounts] = [:]
  /// Changed values by network: the device's place, then the network's.
  private(set) var changes: [String: [SIMD2<UInt8>: Int64]] = [:]
  /// When devices sent copies for an app, to the advertiser or the network.
  private(set) var deviceSpans: [Int64: Span] = [:]
  private(set) var forwardSpans: [String: Span] = [:]
  private(set) var networksWithAddress: Set<String> = []
  private(set) var onlyFiles: [Place: Int64] = [:]

  private let now: Instant

  init(now: Instant) { self.now = now }

  mutating func add(_ conversion: CrosscheckedConversion) {
    let (device, forwarded) = (conversion.device, conversion.forwarded)
    let app = conversion.app.number
    if let device {
      deviceSpans[app, default: Span(device.firstAt)].extend(to: device.firstAt)
      if conversion.cameToNetworkAddress { networksWithAddress.insert(conversion.network) }
    }
    if let forwarded {
      forwardSpans[conversion.network, default: Span(forwarded.firstAt)].extend(to: forwarded.firstAt)
    }
    var place: Place { Place(network: conversion.network, app: app, window: conversion.window) }
    let sides: SideCell.Sides
    var since = conversion.firstAt
    switch (device, forwarded) {
    case (nil, nil):
      onlyFiles[place, default: 0] += 1
      return
    case (_?, nil): sides = .device
    case (nil, _?): sides = .network
    case (let device?, let forwarded?):
      sides = .both
      delays[place, default: DelayCounts()].add(
        milliseconds: forwarded.firstAt.milliseconds - device.firstAt.milliseconds)
      if conversion.differences.contains(.value), conversion.outcome != .assist {
        let pair = SIMD2(UInt8(ValueSlot.of(device.value)), UInt8(ValueSlot.of(forwarded.value)))
        changes[conversion.network, default: [:]][pair, default: 0] += 1
      }
    }
    let isRecent = now.milliseconds - since.milliseconds < Self.recent
    since =
      sides != .both && isRecent
      ? since.startOfHour : since.day.start
    let cell = SideCell(
      network: conversion.network, app: app, version: conversion.version, window: conversion.window,
      sides: sides, since: since, slot: UInt8(ValueSlot.of((device ?? forwarded)?.value)),
      differences: conversion.differences.rawValue, isWon: conversion.outcome != .assist,
      isRejected: sides == .device
        ? conversion.isForwardedCopyRejected : sides == .network && conversion.isDeviceCopyRejected)
    let key = CellKey(conversion.networkNumber, cell)
    if let place = places[key] {
      cells[place].count += 1
    } else {
      places[key] = cells.count
      cells.append((cell, 1))
    }
  }
}
