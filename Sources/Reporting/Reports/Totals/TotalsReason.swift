package import Values

/// Why a network's number of installs differs from the database's; the raw value is the stable code.
///
/// A reason is a way of counting that would give the network's number: a guess that can be checked, no proof.
/// Source: the networks' and measurement partners' own lists of why numbers differ, such as AppsFlyer's "SKAdNetwork
/// discrepancies" and Singular's "SKAdNetwork FAQ".
package enum TotalsReason: String, Hashable, Sendable, CaseIterable {
  case redownloadsIncluded = "redownloads-included"
  /// Postbacks that did not win count as installs.
  case assistsIncluded = "assists-included"
  /// Postbacks of the second and third window count as installs.
  case laterWindowsIncluded = "later-windows-included"
  case copiesCountedTwice = "copies-counted-twice"
  /// Bodies whose signature does not hold or can't be judged count.
  case invalidIncluded = "invalid-included"
  /// Postbacks of development and test keys count.
  case testIncluded = "test-included"
  /// Installs without a value do not count.
  case nullsLeftOut = "nulls-left-out"
  /// Installs after an ad that was seen and not clicked do not count.
  case viewsLeftOut = "views-left-out"
  /// Installs count on other days: of install, or of another time zone.
  case dayShift = "day-shift"
  /// The file has no rows for campaigns that have postbacks here; of a network in all.
  case campaignsLeftOut = "campaigns-left-out"
  /// The last days are not complete here.
  case late
  /// The network has more than any way of counting finds here.
  case notForwarded = "not-forwarded"
  /// The database has never seen the campaign.
  case unknownCampaign = "unknown-campaign"
  /// No way of counting gives the network's number.
  case unexplained

  /// The reason in a sentence, without a full stop.
  package var sentence: Sentence {
    switch self {
    case .redownloadsIncluded: Sentence("the network seems to count repeated installs as installs")
    case .assistsIncluded: Sentence("the network seems to count postbacks that did not win")
    case .laterWindowsIncluded:
      Sentence("the network seems to count postbacks of the second and third window")
    case .copiesCountedTwice: Sentence("the network seems to count every copy of a conversion")
    case .invalidIncluded: Sentence("the network seems to count postbacks whose signature does not hold")
    case .testIncluded: Sentence("the network seems to count postbacks of development and test keys")
    case .nullsLeftOut: Sentence("the network seems to leave out installs without a value")
    case .viewsLeftOut: Sentence("the network seems to leave out installs after a view")
    case .dayShift:
      Sentence(
        "the network seems to use another date of an install, for example the install date or a day of another time zone; "
          + "the days in brackets are added to its days to get arrival dates")
    case .campaignsLeftOut:
      Sentence(
        "the network's campaigns add up to less than the network, because it does not report all of them")
    case .late: Sentence("only the last days differ, for which postbacks are still to come")
    case .notForwarded:
      Sentence("the network has more than any way of counting finds here: postbacks did not come here")
    case .unknownCampaign:
      Sentence("no postback has it, or it is a name that was not imported")
    case .unexplained:
      Sentence("no way of counting that is known, and no two of them, give the network's number")
    }
  }
}

/// One way of counting that gives a network's number, or another fact about it.
package struct TotalsCandidate: Equatable, Sendable {
  /// The reasons: one, or two that hold together.
  package let reasons: [TotalsReason]
  /// The number that this way gives; `nil` where the reason is no way of counting.
  package let number: Int64?
  /// The days that are added to the network's days to get those of arrival, for a shift.
  package let shift: Int?

  init(_ reasons: [TotalsReason], number: Int64? = nil, shift: Int? = nil) {
    self.reasons = reasons
    self.number = number
    self.shift = shift
  }
}
