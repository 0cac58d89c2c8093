import SkanMapping

extension `The table of an app's decisions` {
  /// What each document decides, one matter a case.
  func cases() -> [AppCase] {
    simple + ends + clocks + launches + reengagements
  }

  private var simple: [AppCase] {
    [
      AppCase("A rule without conditions gives the first launch a value", "purchases", [.launch(at: 0)]),
      AppCase("Without a rule that holds, the first launch makes no call", "skan3", [.launch(at: 0)]),
      AppCase(
        "The first event begins the conversion where no launch did", "purchases", [.record("buy", at: 0)]),
      AppCase(
        "Each call sets what changed, and an event that changes nothing makes none", "purchases",
        [.launch(at: 0), .record("buy", at: 60), .record("level", at: 70), .record("buy", at: 80)]
          + (3...10).map { .record("buy", at: 100 + Int64($0)) }),
      AppCase(
        "Names of events are compared letter by letter", "purchases",
        [.launch(at: 0), .record("Buy", at: 60), .record("buy ", at: 70)]),
      AppCase(
        "A range includes its lower end and not its upper one", "revenue",
        [
          .launch(at: 0), .record("buy", at: 60, euros: 4.999999), .record("buy", at: 70, euros: 0.000001),
          .record("buy", at: 80, euros: 14.999999), .record("buy", at: 90, euros: 0.000001),
        ]),
      AppCase(
        "An amount in another currency, or without one, is not added", "revenue",
        [.launch(at: 0), .record("buy", at: 60, euros: 50, currency: "USD"), .record("buy", at: 70)]),
      AppCase(
        "A refund lowers the sum, and the value with it", "revenue",
        [.launch(at: 0), .record("buy", at: 60, euros: 25), .record("refund", at: 70, euros: -25)]),
      AppCase(
        "Under raise-only a refund lowers the sum alone", "revenue-raise-only",
        [
          .launch(at: 0), .record("buy", at: 60, euros: 25), .record("refund", at: 70, euros: -25),
          .record("buy", at: 80, euros: 8),
        ]),
    ]
  }

  private var ends: [AppCase] {
    [
      AppCase(
        "Window 1 ends after two days, and window 2 has coarse values alone", "purchases",
        [.launch(at: 0), .record("buy", at: 2 * day - 1), .record("buy", at: 2 * day)]),
      AppCase(
        "A lock ends its window, and the next window goes on", "purchases",
        [
          .launch(at: 0), .record("buy", at: 3 * day), .record("buy", at: 4 * day, euros: 90),
          .record("level", at: 7 * day),
        ]),
      AppCase(
        "Totals since the install count what windows before had", "purchases",
        [.launch(at: 0), .record("buy", at: 60, euros: 30), .record("level", at: 8 * day)]),
      AppCase(
        "Nothing is set after the third window", "purchases",
        [
          .launch(at: 0), .record("buy", at: 35 * day - 1, euros: 4), .record("buy", at: 35 * day, euros: 90),
        ]),
      AppCase(
        "Fine values end with the measurement window", "revenue",
        [.launch(at: 0), .record("buy", at: day - 1, euros: 6), .record("buy", at: day, euros: 60)]),
      AppCase(
        "Totals of a window begin anew with it", "windows",
        [
          .launch(at: 0), .record("buy", at: 60, euros: 9), .record("level", at: 2 * day),
          .record("buy", at: 3 * day, euros: 6), .record("buy", at: 7 * day, euros: 6),
          .record("buy", at: 8 * day, euros: 5),
        ]),
      AppCase(
        "Hours are those of the newest event", "windows",
        [
          .launch(at: 0), .record("level", at: 6 * 3600 - 1), .record("level", at: 6 * 3600),
          .record("level", at: 12 * 3600),
        ]),
      AppCase(
        "A range can be in a currency of its own", "windows",
        [.launch(at: 0), .record("tip", at: 60, euros: 3), .record("tip", at: 70, euros: 3, currency: "USD")]),
      AppCase(
        "A fine value can lock the window", "windows",
        [
          .launch(at: 0), .record("done", at: 60), .record("vip", at: 70),
          .record("buy", at: 2 * day, euros: 7),
        ]),
      AppCase(
        "A lock is a call of its own where the values stay", "windows",
        [.launch(at: 0), .record("vip", at: 60), .record("close", at: 70), .record("done", at: 80)]),
      AppCase(
        "Of the rules that hold, the one with the highest priority applies", "windows",
        [.launch(at: 0), .record("buy", at: 60), .record("vip", at: 70), .record("buy", at: 80)]),
      AppCase(
        "Under skan3 a launch that is followed by nothing for 24 hours is the end", "skan3",
        [.launch(at: 0), .record("buy", at: day)]),
      AppCase(
        "Under skan3 value 0 is set once, and the measurement window ends fine values", "skan3-hours",
        [
          .launch(at: 0), .record("level", at: 60), .record("buy", at: 20 * 3600),
          .record("buy", at: 30 * 3600 - 1),
          .record("buy", at: 30 * 3600),
        ]),
      AppCase(
        "Under skan3 the timer of 24 hours starts with the launch, and again with each rise", "skan3",
        [
          .launch(at: 0), .record("buy", at: day - 1), .record("buy", at: 2 * day - 2),
          .record("level", at: 2 * day + 60), .record("buy", at: 3 * day - 2),
        ]),
    ]
  }

  private var clocks: [AppCase] {
    [
      AppCase(
        "After the clock was set back, events count at the latest time", "purchases",
        [.launch(at: 0), .record("buy", at: 3 * day), .record("buy", at: 60), .record("buy", at: 4 * day)]),
      AppCase(
        "A clock that was ahead closes the windows that it passed", "purchases",
        [.launch(at: 0), .record("level", at: 8 * day), .record("buy", at: 120)]),
      AppCase(
        "Under skan3 no rise follows a clock that passed the timer", "skan3",
        [.launch(at: 0), .record("buy", at: 60), .launch(at: 3 * day), .record("buy", at: 120)]),
    ]
  }

  private var launches: [AppCase] {
    [
      AppCase(
        "A call that was not confirmed is forgotten where a later one was", "purchases",
        [
          .launch(at: 0), .unconfirmed(.record("buy", at: 60)), .record("buy", at: 70), .restart,
          .launch(at: 80),
        ]),
      AppCase(
        "Under skan3 a call is made again as long as the timer runs", "skan3",
        [
          .launch(at: 0), .unconfirmed(.record("buy", at: 60)), .restart, .launch(at: day + 59), .restart,
          .launch(at: day + 60),
        ]),
      AppCase(
        "A call that was not confirmed is made again at the next launch, once", "purchases",
        [
          .launch(at: 0), .unconfirmed(.record("buy", at: 60)), .restart, .launch(at: 3600), .restart,
          .launch(at: 7200),
        ]),
      AppCase(
        "A call of window 2 is made again in window 2, also after events that changed nothing", "windows",
        [
          .launch(at: 0), .unconfirmed(.record("buy", at: 3 * day, euros: 6)),
          .record("level", at: 3 * day + 60),
          .restart, .launch(at: 4 * day), .restart, .launch(at: 7 * day),
        ]),
      AppCase(
        "A call of a window that is over is not made again", "purchases",
        [.launch(at: 0), .unconfirmed(.record("buy", at: 60)), .restart, .launch(at: 2 * day)]),
      AppCase(
        "Counters outlive the app", "purchases",
        [.launch(at: 0), .record("buy", at: 60), .restart, .launch(at: 100), .record("buy", at: 120)]),
      AppCase(
        "A newer document counts for no conversion that goes on", "purchases",
        [
          .launch(at: 0), .record("buy", at: 60), .use("purchases-later"), .record("buy", at: 70), .restart,
          .record("buy", at: 80),
        ]),
      AppCase(
        "A newer document counts for an install that comes later", "purchases",
        [.use("purchases-later"), .launch(at: 0), .record("buy", at: 60)]),
    ]
  }

  private var reengagements: [AppCase] {
    var overlapping = ReengagementRules()
    overlapping.areOverlapping = true
    var cooling = ReengagementRules()
    cooling.installCooldownHours = 24
    cooling.reengagementCooldownHours = 48
    return [
      AppCase(
        "A re-engagement begins a conversion with counters of its own", "aak",
        [.launch(at: 0), .record("buy", at: 60), .reengage(nil, at: day), .record("buy", at: day + 60)]),
      AppCase(
        "SKAdNetwork knows no re-engagements", "purchases",
        [.launch(at: 0), .reengage("spring", at: 60), .record("buy", at: 70)]),
      AppCase(
        "The first re-engagement of a device without a conversion is its install", "aak",
        [.reengage("spring", at: 0), .record("buy", at: 60)]),
      AppCase(
        "An event with a tag counts for the newest conversion of that tag", "aak",
        [
          .launch(at: 0), .reengage("spring", at: 60), .reengage("summer", at: 120),
          .record("buy", at: 180, tag: "spring"), .record("buy", at: 240),
          .record("buy", at: 300, tag: "winter"),
        ], rules: overlapping),
      AppCase(
        "Of two conversions with one tag the newer one counts", "aak",
        [
          .launch(at: 0), .reengage("spring", at: 60), .record("buy", at: 70, tag: "spring"),
          .reengage("spring", at: 120),
          .record("buy", at: 180, tag: "spring"),
        ], rules: overlapping),
      AppCase(
        "Without overlapping conversions a newer one ends the older", "aak",
        [
          .launch(at: 0), .reengage("spring", at: 60), .reengage("summer", at: 120),
          .record("buy", at: 180, tag: "spring"), .record("buy", at: 240, tag: "summer"),
        ]),
      AppCase(
        "A rule for re-engagements alone holds for no install", "windows-aak",
        [.launch(at: 0), .record("buy", at: 60), .reengage(nil, at: day), .record("buy", at: day + 60)]),
      AppCase(
        "While a cooldown lasts no re-engagement begins", "aak",
        [
          .launch(at: 0), .reengage("early", at: day - 1), .record("buy", at: day - 1),
          .reengage("spring", at: day),
          .record("buy", at: day + 60), .reengage("early", at: 3 * day - 1), .record("buy", at: 3 * day - 1),
        ], rules: cooling),
      AppCase(
        "A tag of more than 64 bytes is none", "aak",
        [.launch(at: 0), .reengage(String(repeating: "x", count: 65), at: 60), .record("buy", at: 70)]),
    ]
  }
}
