/// The texts by which databases, scripts and spreadsheets write that a value is missing.
package enum NullText {
  /// In lower case.
  ///
  /// SQL and JSON, Python, Ruby, JavaScript, Objective-C, exports of MySQL and PostgreSQL, pandas and spreadsheets write
  /// them. `NA` is none of them, because it is the code of Namibia.
  private static let all: Set<String> = [
    "", "null", "none", "nan", "nil", "undefined", "(null)", "\\n", "<na>", "n/a", "#n/a",
  ]

  private static let longest = 9

  /// Whether a text is one of them in any case, or empty.
  package static func isOne(_ text: String) -> Bool {
    text.utf8.count <= longest && all.contains(text.lowercased())
  }
}
