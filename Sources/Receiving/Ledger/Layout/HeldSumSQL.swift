/// The sum of a whole SQL expression over a group, held at the end of the range where SQLite's `sum` fails with "integer
/// overflow".
///
/// It adds the halves of each number apart, which is exact for 2^31 rows.
func heldSumSQL(_ expression: String) -> String {
  let low = "sum((\(expression)) & 4294967295)"
  let high = "(sum((\(expression)) >> 32) + (\(low) >> 32))"
  return """
    iif(\(high) > \(Int32.max), \(Int64.max), iif(\(high) < \(Int32.min), -\(Int64.max) - 1, \
    (\(high) << 32) + (\(low) & 4294967295)))
    """
}
