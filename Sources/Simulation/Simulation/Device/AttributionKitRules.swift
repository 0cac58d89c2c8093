import Postbacks
import Values

/// How AdAttributionKit makes several conversions of one user.
public struct AttributionKitRules: Equatable, Sendable {
  /// The name of the events that are re-engagements: the user came back through an ad.
  public var reengagementEvent = "re-engagement"
  /// The name of the events that are redownloads: the user installed the app again through an ad.
  public var redownloadEvent = "redownload"
  /// Whether older conversions go on beside a newer one, each updated by its conversion tag; an update without a tag is
  /// the most recent one's.
  ///
  /// Source: Apple, "AdAttributionKitConfigurations", `EligibleForAdAttributionKitOverlappingConversions`.
  public var hasOverlappingWindows = false
  /// Hours after an install or redownload in which no new conversion is made, 0 through 720.
  ///
  /// Source: Apple, "AdAttributionKitConfigurations", `AttributionCooldown`.
  public var installCooldownHours = 0
  /// Hours after a re-engagement in which no new conversion is made, 0 through 720.
  public var reengagementCooldownHours = 0

  /// Makes the rules of an app that configures nothing.
  public init() {}
}

/// One conversion of a user, with the time it lives.
struct PlannedConversion: Equatable, Sendable {
  let kind: Postbacks.Outcome
  /// Its first second, since install.
  let start: Int64
  /// The second at which a newer conversion takes over; `.max` when none does.
  let end: Int64
  /// The events that can count for it, indices into the cohort's events.
  let events: Range<Int>
  /// Which of the events count; `nil` for all of them, where no other conversion can take one.
  let share: TaggedShare?
}

/// The events of one conversion where another one can take some of them.
///
/// An event with a tag is the conversion's of that tag, and of none if that does not exist; an event without one is the
/// most recent conversion's.
/// Source: Apple, "Identifying conversion values with conversion tags".
struct TaggedShare: Equatable, Sendable {
  /// The conversion's tag; -1 for none, as installs have none.
  let tag: Int32
  /// The index of the event with which a newer conversion of the same tag begins.
  let taggedEnd: Int
  /// The index of the event with which the next conversion begins.
  let untaggedEnd: Int

  /// Whether an event counts.
  @inline(__always)
  func includes(_ event: CohortEvent, at index: Int) -> Bool {
    event.tag < 0 ? index < untaggedEnd : event.tag == tag && index < taggedEnd
  }
}

extension AttributionKitRules {
  /// Returns the conversions of one user, by rising time; the install is the first.
  ///
  /// - Parameters:
  ///   - markers: What each name of an event marks; empty when no name marks anything.
  func plan(_ user: CohortUser, in cohort: Cohort, markers: [Postbacks.Outcome?]) -> [PlannedConversion] {
    var starts: [(kind: Postbacks.Outcome, at: Int64, event: Int)] = [
      (.install, 0, Int(user.events.lowerBound))
    ]
    let cooldown = (install: seconds(installCooldownHours), back: seconds(reengagementCooldownHours))
    var cooldownEnd = cooldown.install
    for index in Int(user.events.lowerBound)..<Int(user.events.upperBound) where !markers.isEmpty {
      guard let kind = markers[Int(cohort.events[index].name)] else { continue }
      let at = max(0, Int64(cohort.events[index].secondsSinceInstall))
      guard at >= cooldownEnd else { continue }
      starts.append((kind, at, index))
      cooldownEnd = at + (kind == .reengagement ? cooldown.back : cooldown.install)
    }
    return starts.indices.map { index in
      // The event that makes the next conversion counts for that one, as does everything after it.
      let isLast = index + 1 == starts.count || hasOverlappingWindows
      return PlannedConversion(
        kind: starts[index].kind, start: starts[index].at, end: isLast ? .max : starts[index + 1].at,
        events: starts[index].event..<(isLast ? Int(user.events.upperBound) : starts[index + 1].event),
        share: hasOverlappingWindows || !cohort.names.tags.isEmpty
          ? share(of: index, starts.map(\.event), Int(user.events.upperBound), cohort) : nil)
    }
  }

  /// Which events count for a conversion, by its number and the event with which each conversion begins.
  private func share(of index: Int, _ first: [Int], _ end: Int, _ cohort: Cohort) -> TaggedShare {
    // The first event of an install is any event; only the others' first event is the one with the tag.
    func tag(_ conversion: Int) -> Int32 { conversion == 0 ? -1 : cohort.events[first[conversion]].tag }
    let later = first.indices.dropFirst(index + 1)
    return TaggedShare(
      tag: tag(index), taggedEnd: later.first { tag($0) == tag(index) }.map { first[$0] } ?? end,
      untaggedEnd: later.first.map { first[$0] } ?? end)
  }

  private func seconds(_ hours: Int) -> Int64 { Int64(min(max(0, hours), 720)) * Hour.seconds }

  /// Returns what each name of an event marks; empty when no name marks anything.
  func markers(_ names: [String]) -> [Postbacks.Outcome?] {
    let markers = names.map { name -> Postbacks.Outcome? in
      if name == reengagementEvent { return .reengagement }
      return name == redownloadEvent ? .redownload : nil
    }
    return markers.contains { $0 != nil } ? markers : []
  }
}
