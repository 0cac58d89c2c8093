import SQLite

/// What reports ask of one stored postback, in the codes of its table.
struct PostbackFacts: Hashable {
  struct Source: Hashable {
    var environment: Int64
    var app: Int64
    var network: Int64
    var version: Int64
    var window: Int64
    var outcome: Int64
  }

  /// Milliseconds, UTC.
  var receivedAt: Int64
  var source: Source
  var campaign: String
  var interaction: Int64?
  var value: Int64?
  var country: String?
  var publisher: Int64?
  var marketplace: Int64?
}

extension PostbackFacts {
  /// The columns that ``init(_:)`` reads.
  static let columns = """
    received_at, environment, app, network, version, window, outcome, campaign, interaction, value, country, publisher,
      marketplace
    """

  init(_ row: borrowing Row) {
    receivedAt = row.count(0)
    source = Source(
      environment: row.count(1), app: row.count(2), network: row.count(3), version: row.count(4),
      window: row.count(5), outcome: row.count(6))
    campaign = row.text(7) ?? ""
    interaction = row.integer(8)
    value = row.integer(9)
    country = row.text(10)
    publisher = row.integer(11)
    marketplace = row.integer(12)
  }
}
