import Postbacks
import Simulation
import Values

/// Which of the 64 values means what: a block of values for each day since install, one before and one after an event,
/// or one for all, and in each block a range of the user's revenue so far for each value.
///
/// Values of a later block are higher, and so are those of more revenue within one, so that a value only ever rises.
struct CodeTable: Equatable, Sendable {
  /// The seconds that a block of a day covers.
  static let tick = Day.seconds

  /// How long values are set, in hours; a multiple of 24.
  let windowHours: Int
  /// Where the ranges of each block begin but for its first, which has no lower end; rising.
  let edges: [[Int64]]
  /// The first value of each block.
  let firstCodes: [Int]

  /// Numbers the ranges of the blocks one after the other, from 0.
  init(windowHours: Int, edges: [[Int64]]) {
    self.windowHours = windowHours
    self.edges = edges
    firstCodes = edges.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.count + 1) }.dropLast()
  }

  /// The number of values, 0 included.
  var count: Int { edges.reduce(0) { $0 + $1.count + 1 } }

  /// Returns the value of a user.
  ///
  /// - Parameters:
  ///   - block: The day of the last activity, from 0; by an event, 1 once it has happened.
  ///   - measure: Revenue of the user so far, in millionths.
  func code(_ block: Int, _ measure: Int64) -> Int {
    let edges = edges[block]
    var low = 0
    var high = edges.count
    while low < high {
      let middle = (low + high) / 2
      if edges[middle] <= measure { low = middle + 1 } else { high = middle }
    }
    return firstCodes[block] + low
  }

  /// Returns the block and the place in it of a value.
  func place(of code: Int) -> (block: Int, range: Int) {
    let block = firstCodes.lastIndex { $0 <= code } ?? 0
    return (block, code - firstCodes[block])
  }
}

/// What a user's values end with.
struct FinalState: Equatable, Sendable {
  /// The block by the last activity that could set a value.
  var block = 0
  /// The user's revenue by then, in millionths; never negative.
  var measure: Int64 = 0
  /// The value; where no table decides, 0.
  var code = 0
}

/// Lets users live under a table of values, or under values without loss.
struct CodeReplay {
  /// Whether each rise starts SKAdNetwork 3's timer anew, and there are no values once it has run out.
  ///
  /// Source: Apple, "updateConversionValue(_:)".
  let isTimed: Bool
  let windowHours: Int
  let split: DesignSplit
  /// The table; `nil` for a value for every millionth, and for every block.
  let table: CodeTable?

  func replay(_ user: DesignUser, of users: DesignUsers) -> FinalState {
    var state = FinalState()
    var sum: Int64 = 0
    var hasHappened = false
    var end = min(Int64(windowHours) * Hour.seconds, isTimed ? AppleTimers.riseTimer : .max)
    for index in Int(user.events.lowerBound)..<Int(user.events.upperBound) {
      let event = users.events[index]
      let seconds = Int64(event.secondsSinceInstall)
      guard seconds < end else { break }
      sum = sum.addingHeld(users.measure(event))
      let block: Int
      switch split {
      case .none: block = 0
      case .days: block = Int(seconds / CodeTable.tick)
      case .event(let wanted):
        hasHappened = hasHappened || event.name == wanted.number
        block = hasHappened ? 1 : 0
      }
      guard isTimed else {
        state = FinalState(block: block, measure: max(0, sum), code: table?.code(block, sum) ?? 0)
        continue
      }
      let measure = max(state.measure, sum)
      let code = table?.code(block, sum) ?? 0
      let isRise = table == nil ? (block, measure) > (state.block, state.measure) : code > state.code
      if isRise { end = min(Int64(windowHours) * Hour.seconds, seconds + AppleTimers.riseTimer) }
      state = FinalState(block: block, measure: measure, code: max(code, state.code))
    }
    return state
  }
}
