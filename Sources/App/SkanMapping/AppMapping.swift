/// One version of an app's mapping, as `GET /v1/apps/{app}/mapping` serves it to apps: which values stand for what users
/// do, without what they are called or worth.
public struct AppMapping: Sendable {
  /// Bytes of a document at most.
  public static let largestDocument = 1 << 20
  /// Bytes that the counters of one conversion may need in the state.
  ///
  /// An event that is counted needs 1 to 5 bytes by its highest limit; each sum of money needs 10. Totals of a single
  /// window are counters of their own.
  public static let mostCounterBytes = 768

  /// Whose timers the values are set under; the raw value is the word in the document.
  public enum Device: String, Hashable, Sendable, CaseIterable {
    /// SKAdNetwork 3 and below: one value that only rises, and a timer of 24 hours that each rise restarts.
    case skan3
    /// SKAdNetwork 4: three windows, `[0, 2)`, `[2, 7)` and `[7, 35)` days after the first launch.
    case skan4
    /// AdAttributionKit: the same three windows, for installs and re-engagements.
    case aak

    /// Whether there are three windows with coarse values and locks.
    var hasWindows: Bool { self != .skan3 }
  }

  /// The version that comes into force next.
  public struct Next: Hashable, Sendable {
    /// From when on, in milliseconds since 1970.
    public let effectiveFrom: Int64
    public let digest: String
  }

  /// What people call it.
  public let name: String
  /// The app's number in the App Store.
  public let app: Int64
  /// The SHA-256 of the published mapping in 64 hexadecimal digits, by which a version is known.
  public let digest: String
  /// When devices start to follow it, in milliseconds since 1970.
  public let effectiveFrom: Int64
  /// The version that comes into force next; `nil` when none is known.
  public let next: Next?
  /// Whose timers the values are set under.
  public let device: Device
  let document: [UInt8]
  /// Whether a value is only ever replaced by a higher one.
  let isRaiseOnly: Bool
  /// The seconds from the begin of a conversion at which fine values end; `nil` where the timers alone end them.
  let fineEnd: Int64?
  /// The rules for fine values; of those that hold the first applies.
  let fine: [AppRule]
  /// The rules for coarse values of windows 1 to 3; of those that hold the first applies.
  let coarse: [[AppRule]]
  /// What the rules ask for.
  let counters: AppCounters

  /// The first 64 bits of the digest, by which the state knows the version.
  var id: UInt64 { UInt64(digest.prefix(16), radix: 16) ?? 0 }
}

/// What gives a conversion a value, and when.
struct AppRule: Sendable {
  /// A counter that has to lie between two ends, both included; never where the lower end is above the upper one.
  struct Test: Sendable {
    let counter: Int
    let least: Int64
    let most: Int64
  }

  /// The fine value, or the step of the coarse value.
  let value: Int8
  let types: [AppConversionType]
  /// The seconds since the begin of the conversion that the last event has to lie in; `nil` for any.
  let seconds: Range<Int64>?
  let tests: [Test]
  /// The coarse value that comes with a fine one.
  let coarse: AppCoarseValue?
  let lock: Bool
  let priority: Int64

  func holds(_ counters: [Int64], at now: Int64, for type: AppConversionType) -> Bool {
    guard types.contains(type), seconds?.contains(now) ?? true else { return false }
    return tests.allSatisfy { $0.least <= counters[$0.counter] && counters[$0.counter] <= $0.most }
  }
}

/// What the rules of a mapping ask for, each sum once.
struct AppCounters: Sendable {
  /// What a counter adds up.
  enum Sum: Hashable, Sendable {
    case count(event: String)
    case revenue(event: String, currency: String)
    case total(currency: String)
  }

  /// A counter: a sum since the begin of the conversion or since the begin of the window.
  struct Key: Hashable, Sendable {
    let sum: Sum
    let isOfWindow: Bool
  }

  private(set) var keys: [Key] = []
  /// The number up to which a counter of events counts; no rule distinguishes higher numbers.
  private var limits: [Int64] = []
  private var places: [Key: Int] = [:]
  private var countersOfEvents: [String: [Int]] = [:]
  private var totals: [String: [Int]] = [:]

  /// The largest size of the counters in the state, in bytes.
  var mostBytes: Int {
    keys.indices.reduce(0) { bytes, index in
      guard case .count = keys[index].sum else { return bytes + 10 }
      return bytes + (limits[index] < 1 << 6 ? 1 : limits[index] < 1 << 13 ? 2 : 5)
    }
  }

  /// Returns the place of a counter, making it where it is new.
  mutating func place(of sum: Sum, ofWindow isOfWindow: Bool, upTo limit: Int64 = .max) -> Int {
    let key = Key(sum: sum, isOfWindow: isOfWindow)
    if let known = places[key] {
      limits[known] = max(limits[known], limit)
      return known
    }
    let place = keys.count
    keys.append(key)
    limits.append(limit)
    places[key] = place
    switch sum {
    case .count(let event), .revenue(let event, _): countersOfEvents[event, default: []].append(place)
    case .total(let currency): totals[currency, default: []].append(place)
    }
    return place
  }

  /// Adds an event to the counters that it belongs to; a sum that does not fit is held at the end of the range.
  func add(_ event: AppEvent, to values: inout [Int64]) {
    if let micros = event.micros, let currency = event.currency, let places = totals[currency] {
      for place in places { values[place] = Self.sum(values[place], micros) }
    }
    for place in countersOfEvents[event.name] ?? [] {
      switch keys[place].sum {
      case .count: values[place] = min(values[place] + 1, limits[place])
      case .revenue(_, let currency):
        if let micros = event.micros, event.currency == currency {
          values[place] = Self.sum(values[place], micros)
        }
      case .total: break
      }
    }
  }

  /// Begins the sums of a window anew.
  func clearWindow(_ values: inout [Int64]) {
    for place in keys.indices where keys[place].isOfWindow { values[place] = 0 }
  }

  private static func sum(_ a: Int64, _ b: Int64) -> Int64 {
    let (sum, overflow) = a.addingReportingOverflow(b)
    return overflow ? (b < 0 ? .min : .max) : sum
  }
}
