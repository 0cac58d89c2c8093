public import Postbacks
public import Values

/// Installs that an advertiser counted itself for an app on a day, wherever they came from.
public struct OwnInstallsRow: Equatable, Sendable {
  /// The UTC day of the installs.
  public let day: Day
  public let app: AppID
  public let installs: Int64

  public init(day: Day, app: AppID, installs: Int64) {
    self.day = day
    self.app = app
    self.installs = installs
  }
}

extension OwnInstallsRow: ReferenceRow {
  package static let table = ReferenceTable<Self>(
    "own_installs", groupedBy: ["day", "app"], values: ["installs"]
  ) {
    [.integer(Int64($0.day.number)), .integer($0.app.number), .integer($0.installs)]
  }

  package static func read(_ row: borrowing some ReferenceColumns & ~Copyable) -> Self? {
    AppID(row.count(1)).map { Self(day: row.day(0), app: $0, installs: row.count(2)) }
  }
}
