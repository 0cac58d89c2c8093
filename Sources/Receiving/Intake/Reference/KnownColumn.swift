/// What is known of a column that files may not have.
package enum KnownColumn {
  /// The likeliest first; case and separators do not count.
  private static let otherNames: [String: [String]] = [
    "date": [
      "day", "date_start", "stat_time_day", "start_time", "timestamp", "segments_date", "reporting_starts",
      "report_date", "tag", "datum", "fecha", "día", "日付", "日期", "التاريخ",
    ],
    "network": [
      "ad_network", "ad_network_id", "network_id", "media_source", "source", "channel", "partner", "netzwerk",
      "red",
    ],
    "campaign": [
      "campaign_name", "campaign_id", "campaign_id_external", "kampagne", "campaña", "キャンペーン", "广告系列",
      "الحملة",
    ],
    "amount": [
      "spend", "cost", "amount_spent", "spent", "local_spend", "localspend_amount", "metrics_spend",
      "cost_micros", "kosten", "ausgaben", "betrag", "gasto", "importe", "coste", "費用", "花费", "التكلفة",
    ],
    "currency": [
      "currency_code", "account_currency", "customer_currency_code", "localspend_currency", "währung",
      "whg", "moneda", "通貨", "货币", "العملة",
    ],
    "app": ["app_id", "adam_id", "store_id", "apple_id", "app_store_id"],
    "impressions": ["impr", "views", "metrics_impressions", "impressionen", "impresiones"],
    "clicks": ["taps", "swipes", "link_clicks", "metrics_clicks", "klicks", "clics"],
    "installs": ["conversions", "total_installs", "downloads", "first_launches"],
    "name": ["campaign_name", "title", "label"],
    "from": ["valid_from", "start_date", "date", "since"],
    "rate": ["exchange_rate", "value"],
    "revenue": ["income", "value", "total_revenue"],
    "proceeds": ["developer_proceeds", "net", "payout"],
  ]

  /// A value that can be the same in all rows, for an example.
  package static func example(of column: String) -> String? {
    switch column {
    case "currency": "USD"
    case "network": "v9wttpbfk9.skadnetwork"
    case "app": "525463029"
    default: nil
    }
  }

  /// Its own name, and those that other systems have for it.
  package static func names(of column: String) -> [String] { [column] + (otherNames[column] ?? []) }
}
