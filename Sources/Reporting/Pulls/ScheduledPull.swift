package import JSONText
package import Values

/// A pull that the daemon runs at set times.
package struct ScheduledPull: Equatable, Sendable {
  package enum Times: Equatable, Sendable {
    /// Once a UTC day, so many minutes after its start.
    case daily(minute: Int)
    case hourly(Int)
  }

  /// Milliseconds after which a failed run is tried again.
  private static let patience = Hour.milliseconds

  /// The path of the pull document.
  package let file: String
  package let times: Times

  package init(file: String, times: Times) { (self.file, self.times) = (file, times) }

  /// Whether a run is due; a stored moment that is still to come was written by a clock that was ahead, and counts as none.
  package func isDue(at now: Instant, after state: PullState) -> Bool {
    let last = state.lastSuccess.flatMap { $0 <= now ? $0 : nil }
    // A run with which the program died would die again.
    for failure in [state.lastFailure, state.unfinished].compactMap(\.self)
    where failure <= now && failure >= last ?? failure {
      guard now >= failure + Self.patience else { return false }
    }
    guard let success = last else { return true }
    switch times {
    case .hourly(let hours): return now >= success + Int64(hours) * Hour.milliseconds
    case .daily(let minute):
      let today = now.day.start + Int64(minute) * 60_000
      return success < (today <= now ? today : today + -Day.milliseconds)
    }
  }
}

extension JSONPlace {
  private static let pullForm = JSONForm("a pull", required: ["file"], optional: ["at", "every-hours"])

  /// The pulls of a configuration file.
  package func scheduledPulls() throws(JSONProblem) -> [ScheduledPull] {
    var pulls: [ScheduledPull] = []
    for entry in try list() {
      let members = try entry.members(Self.pullForm)
      let place = try members.required("file")
      let file = try place.text()
      if pulls.contains(where: { $0.file == file }) {
        throw place.mistake("is the file of an earlier pull too")
      }
      let times: ScheduledPull.Times
      switch (members["at"], members["every-hours"]) {
      case (let at?, nil): times = .daily(minute: try at.minuteOfDay())
      case (nil, let hours?): times = .hourly(Int(try hours.integer(in: 1...168)))
      default: throw entry.mistake("needs one of \"at\" and \"every-hours\"")
      }
      pulls.append(ScheduledPull(file: file, times: times))
    }
    return pulls
  }

  private func minuteOfDay() throws(JSONProblem) -> Int {
    let parts = try text().split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == 2 }), let hour = Int(parts[0]),
      let minute = Int(parts[1]), (0..<24).contains(hour), (0..<60).contains(minute)
    else { throw mistake("is no time of day (UTC)", cure: "Write it like \"03:30\".") }
    return hour * 60 + minute
  }
}
