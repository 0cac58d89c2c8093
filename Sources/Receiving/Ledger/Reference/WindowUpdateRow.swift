public import Postbacks
public import Values

/// How many of the advertiser's own users with one value of window 1 updated the value in a later window.
///
/// A window without an update has no postback, so that it is the share of a campaign's users whose postback of the window
/// can be expected. Source: Apple, "Receiving postbacks in multiple conversion windows".
public struct WindowUpdateRow: Equatable, Sendable {
  public let app: AppID
  /// When the version of the mapping began that the users followed.
  public let effectiveFrom: Instant
  /// The later window, the second or the third.
  public let window: ConversionWindow
  /// The value of window 1, as in ``ValueWorthRow``: fine, or from ``ValueWorthRow/firstCoarseValue`` on coarse.
  public let value: Int
  /// Users whose history reaches to the window's end.
  public let users: Int64
  /// Those of them with an update in the window.
  public let updated: Int64

  public init(
    app: AppID, effectiveFrom: Instant, window: ConversionWindow, value: Int, users: Int64, updated: Int64
  ) {
    self.app = app
    self.effectiveFrom = effectiveFrom
    self.window = window
    self.value = value
    self.users = users
    self.updated = updated
  }
}

extension WindowUpdateRow: ReferenceRow {
  package static let table = ReferenceTable<Self>(
    "window_update", groupedBy: ["app", "effective_from"], key: ["sequence", "value"],
    values: ["users", "updated"]
  ) {
    [
      .integer($0.app.number), .integer($0.effectiveFrom.milliseconds), .integer(Int64($0.window.rawValue)),
      .integer(Int64($0.value)), .integer($0.users), .integer($0.updated),
    ]
  }

  package static func read(_ row: borrowing some ReferenceColumns & ~Copyable) -> Self? {
    guard let app = AppID(row.count(0)), let window = ConversionWindow(rawValue: Int(row.count(2))) else {
      return nil
    }
    return Self(
      app: app, effectiveFrom: Instant(milliseconds: row.count(1)), window: window, value: Int(row.count(3)),
      users: row.count(4), updated: row.count(5))
  }
}

extension WindowUpdateRow: ChangeRecord {
  package static let form = Form(Self.init) {
    ($0.app, $0.effectiveFrom, $0.window, $0.value, $0.users, $0.updated)
  }
}

extension ConversionWindow: ChangeField {}

extension LedgerReader {
  /// How many own users updated later windows, by app, version, window and value of window 1.
  public func windowUpdates() throws(LedgerError) -> [WindowUpdateRow] {
    readable(try imported()) { $0.app }
  }
}
