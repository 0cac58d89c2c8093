import Postbacks
import SQLite
import Values

/// A stored total that is not what its rows come to.
public struct TotalsDifference: Hashable, Sendable {
  /// The totals that are kept beside the rows; the raw value is the name in output.
  public enum Total: String, Hashable, Sendable, CaseIterable {
    /// First copies by the hour of arrival, which alerts read.
    case arrivals
    case keptRejected = "kept-rejected"
    /// Rejected bodies by the hour of arrival, against those of the day.
    case rejectedArrivals = "rejected-arrivals"
    /// Further copies that repeat the first one.
    case repeats
    /// Further copies that disagree with the first one.
    case conflicts
    /// Further copies by the hour of arrival, over all hours.
    case copyArrivals = "copy-arrivals"
    /// Purchases that were not pruned.
    case purchases
    /// Postbacks in blocks without their bodies, which all reports count; stored are those that agree.
    case facts

    func words(_ count: Int64) -> String {
      switch self {
      case .arrivals: "the first arrivals of \(count) hours"
      case .keptRejected: "the kept rejected bodies of \(count) sources"
      case .rejectedArrivals: "the rejected arrivals of \(count) days"
      case .repeats: "the further copies of \(count) campaigns"
      case .conflicts: "the conflicting copies of \(count) networks and windows"
      case .copyArrivals: "the arrivals of copies of \(count) networks"
      case .purchases: "the totals of \(count) kinds of purchases"
      case .facts: "the facts of \(count) blocks of postbacks"
      }
    }
  }

  /// What totals are distinguished by; the raw value is the name in output.
  public enum Key: String, Hashable, Sendable, CaseIterable {
    case day, hour, origin, source, environment, app, network, version, campaign, window, outcome
    case state, reason
    case isSKAdNetwork = "framework"
    /// That of a purchase, which is a word and no code.
    case signer
    case product, type, currency
    case rows
  }

  /// A key and what it is; nil where a total belongs to nothing that is known.
  public struct Member: Hashable, Sendable {
    public let key: Key
    public let text: String?
  }

  public let total: Total
  public let place: [Member]
  public let column: String
  public let stored: Int64
  public let counted: Int64
}

/// Turns the codes of a difference's keys into words.
struct DifferenceNames {
  private var networks: [Int64: String] = [:]
  private var origins: [Int64: String] = [:]

  init(_ connection: borrowing LedgerDatabase) throws(LedgerError) {
    try connection.prepare("SELECT id, identifier FROM network").forEachRow {
      networks[$0.count(0)] = $0.text(1)
    }
    try connection.prepare("SELECT id, route, name FROM origin").forEachRow { row in
      origins[row.count(0)] = [row.text(1), row.text(2)].compactMap { $0 }.filter { !$0.isEmpty }
        .joined(separator: " ")
    }
  }

  func member(_ key: TotalsDifference.Key, _ row: borrowing Row, _ column: Int32) -> TotalsDifference.Member {
    guard let code = row.integer(column) else { return .init(key: key, text: nil) }
    let text: String?
    switch key {
    case .day: text = "\(Day(number: Int32(clamping: code)))"
    case .hour:
      text = "\(Day(number: 0).start + code.multipliedHeld(by: Hour.milliseconds))"
    case .origin: text = origins[code] ?? "\(code)"
    case .network: text = networks[code] ?? "\(code)"
    case .environment:
      let environment: Environment? = decoded(code, by: { $0.code })
      text = environment?.rawValue ?? "\(code)"
    case .version:
      text = versionWord(code)
    case .window: text = "\(code + 1)"
    case .outcome: text = outcomeWord(code)
    case .isSKAdNetwork: text = code == 0 ? "aak" : "skan"
    case .app: text = "\(code)"
    case .campaign, .source, .state, .reason, .signer, .product, .type, .currency, .rows:
      text = row.text(column)
    }
    return .init(key: key, text: text)
  }
}

func outcomeWord(_ code: Int64) -> String {
  let outcome: Outcome? = decoded(code, by: { $0.code })
  return outcome?.rawValue ?? "\(code)"
}

func interactionWord(_ code: Int64) -> String {
  let interaction: AdInteraction? = decoded(code, by: { $0.code })
  return interaction?.rawValue ?? "\(code)"
}

func versionWord(_ code: Int64) -> String {
  let version: ProtocolVersion? = decoded(code, by: { $0.code })
  return version?.rawValue ?? "\(code)"
}

extension ConversionValue {
  /// The value in output: a number, `low`, `medium`, `high`, `rejected` or `null`.
  var word: String {
    switch self {
    case .fine(let value): "\(value.number)"
    case .coarse(let word): word.rawValue
    case .rejected: "rejected"
    case .absent: "null"
    }
  }
}
