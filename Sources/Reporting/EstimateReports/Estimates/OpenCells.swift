import Estimates
import Postbacks
import Values

/// The cells of one campaign while its postbacks are counted: numbers in one list, by version, day and part.
struct OpenCells {
  private static let nulls = 64
  private static let coarse = 65
  private static let coarseWorth = 66
  private static let unmapped = 67
  private static let firstInstalls = 68
  private static let parts = 69

  private let days: Range<Int32>
  private var numbers: [Double]
  private var isOpen: [Bool]
  /// The cells that have something, as places by version and day.
  private var opened: [Int] = []
  private let edges: [InstallOrigins.Edge]
  /// By version and edge.
  private var onEdges: [DayEdge]
  private var openedEdges: [Int] = []

  init(schemes: Int, days: Range<Int32>, edges: [InstallOrigins.Edge]) {
    self.days = days
    self.edges = edges
    onEdges = [DayEdge](repeating: DayEdge(), count: schemes * edges.count)
    numbers = [Double](repeating: 0, count: schemes * days.count * Self.parts)
    isOpen = [Bool](repeating: false, count: schemes * days.count)
  }

  /// Where postbacks with a value count.
  static func part(_ value: ConversionValue, isUnmapped: Bool) -> Int {
    switch value {
    case .absent: nulls
    case .rejected: unmapped
    case .fine(let value): isUnmapped ? unmapped : Int(value.number)
    case .coarse: isUnmapped ? unmapped : coarse
    }
  }

  /// - Parameters:
  ///   - worth: What one is worth, where it counts among coarse values.
  ///   - isFirstInstall: Whether it is of a first install, and not of a redownload or re-engagement.
  ///   - day: The number of one of the days.
  mutating func add(
    _ count: Double, _ part: Int, worth: Double, isFirstInstall: Bool, scheme: Int, day: Int32
  ) {
    let cell = scheme * days.count + Int(day - days.lowerBound)
    if !isOpen[cell] {
      isOpen[cell] = true
      opened.append(cell)
    }
    numbers[cell * Self.parts + part] += count
    if part == Self.coarse { numbers[cell * Self.parts + Self.coarseWorth] += count * worth }
    if isFirstInstall { numbers[cell * Self.parts + Self.firstInstalls] += count }
  }

  /// - Parameters:
  ///   - worth: What one of them with a value is worth.
  ///   - share: Of one of the edges.
  mutating func add(
    _ count: Double, _ part: Int, worth: Double, scheme: Int, edge share: InstallOrigins.EdgeShare
  ) {
    guard part == Self.nulls || (part <= Self.coarse && worth != 0) else { return }
    let place = scheme * edges.count + share.edge
    if onEdges[place].isEmpty { openedEdges.append(place) }
    onEdges[place].add(count, probability: share.probability, worth: part == Self.nulls ? nil : worth)
  }

  /// Hands over the cells of each version, and leaves none for the next campaign.
  ///
  /// - Parameter together: The day that a day's cell is handed over under.
  mutating func take(_ together: (Day) -> Day, _ visit: (Int, [Day: DayCounts]) -> Void) {
    var found: [Int: [Day: DayCounts]] = [:]
    for cell in opened {
      let (scheme, day) = cell.quotientAndRemainder(dividingBy: days.count)
      let first = cell * Self.parts
      var counts = DayCounts()
      counts.revealed = CodeCounts(numbers[first..<first + Self.nulls])
      counts.nulls = numbers[first + Self.nulls]
      counts.coarse = numbers[first + Self.coarse]
      counts.coarseWorth = numbers[first + Self.coarseWorth]
      counts.unmapped = numbers[first + Self.unmapped]
      counts.firstInstalls = numbers[first + Self.firstInstalls]
      let place = together(Day(number: days.lowerBound + Int32(day)))
      if found[scheme]?[place] == nil {
        found[scheme, default: [:]][place] = counts
      } else {
        found[scheme, default: [:]][place, default: DayCounts()] += counts
      }
      for part in first..<first + Self.parts { numbers[part] = 0 }
      isOpen[cell] = false
    }
    opened.removeAll(keepingCapacity: true)
    for place in openedEdges {
      let edge = edges[place % edges.count]
      let (earlier, later) = (together(edge.earlier), together(edge.later))
      if earlier != later {
        let scheme = place / edges.count
        found[scheme]?[earlier]?.add(onEdges[place], to: later)
        found[scheme]?[later]?.add(onEdges[place], to: earlier)
      }
      onEdges[place] = DayEdge()
    }
    openedEdges.removeAll(keepingCapacity: true)
    for (scheme, days) in found { visit(scheme, days) }
  }
}
