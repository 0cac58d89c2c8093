extension TotalsAudit {
  /// A total has purchases that were pruned, too, so it may be more than its rows.
  static let purchases = TotalsAudit(
    total: .purchases, keys: [.signer, .app, .day, .product, .type, .currency],
    columns: ["counted", "micros"],
    counted: Side(
      keys: ["environment", "app", daySQL("at"), "product", "type", "currency"],
      sums: ["count(*)", heldSumSQL("micros")], source: "purchase"),
    stored: Side(
      keys: ["environment", "app", "day", "product", "type", "currency"],
      sums: [heldSumSQL("counted"), heldSumSQL("micros")],
      source: "purchase_total"),
    mayExceed: true)

  /// The statements that set the wrong totals of purchases.
  static let mendingPurchases = [
    """
    INSERT INTO purchase_total(environment, app, day, product, type, currency, counted, micros)
    SELECT k0, k1, k2, k3, k4, k5, c0, c1 FROM wrong WHERE true
    ON CONFLICT DO UPDATE SET counted = max(counted, excluded.counted), micros = max(micros, excluded.micros)
    """
  ]
}
