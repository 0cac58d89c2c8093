/// A reason why a campaign's decoded revenue in estimates is not that of its row in the report on campaigns.
package enum EstimateDifference: String, CaseIterable, Sendable {
  /// Source identifiers of more digits are together in the row.
  case digits
  /// The report on campaigns adds revenue of windows 2 and 3, estimates have the first window alone.
  case firstWindow = "window-1-only"
  /// Values count what own users paid, not the mapping's amounts.
  case ownUsers = "own-users"
  /// Another time since install was asked for than the values count.
  case horizon
  /// Days are those of install, not of arrival.
  case installDates = "install-dates"
  case nullIsZero = "null-is-zero"
}
