extension TotalsAudit {
  private static let webColumns = [
    "source_site", "destination_site", "source_id", "trigger_data", "version",
  ]

  static let webClicks = TotalsAudit(
    total: .webClicks,
    keys: [.day, .sourceSite, .destinationSite, .sourceID, .triggerData, .reportVersion],
    columns: ["kept", "repeats"],
    counted: Side(
      keys: [daySQL("received_at")] + webColumns, sums: ["count(*)", heldSumSQL("times - 1")],
      source: "web_click WHERE reason IS NULL"),
    stored: Side(
      keys: ["day"] + webColumns, sums: [heldSumSQL("kept"), heldSumSQL("repeats")], source: "web_click_total"
    ))

  static let webRejected = TotalsAudit(
    total: .webRejected, keys: [.day, .reason], columns: ["kept"],
    counted: Side(
      keys: [daySQL("received_at"), "reason"], sums: ["count(*)"],
      source: "web_click WHERE reason IS NOT NULL"),
    stored: Side(keys: ["day", "reason"], sums: [heldSumSQL("kept")], source: "web_rejected_total"),
    mayExceed: true)

  /// The statements that set the wrong totals of web clicks; reports beyond the quota have no row and stay as they are.
  static let mendingWebClicks = [
    """
    INSERT INTO web_click_total SELECT k0, k1, k2, k3, k4, k5, c0, 0, c1 FROM wrong WHERE true
    ON CONFLICT DO UPDATE SET kept = excluded.kept, repeats = excluded.repeats
    """
  ]
  static let mendingWebRejected = [
    """
    INSERT INTO web_rejected_total SELECT k0, k1, c0, 0 FROM wrong WHERE true
    ON CONFLICT DO UPDATE SET kept = excluded.kept
    """
  ]
}
