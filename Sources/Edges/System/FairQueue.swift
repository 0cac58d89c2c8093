/// What waits, in a line for each sender; the senders take turns.
///
/// No sender's line holds up another's: each sender may have so many elements waiting, and its share of the bytes, which
/// all who wait divide evenly among them. A turn is measured by work and not by elements, so that large elements get
/// no more than small ones. (Surplus round robin; source: Adiseshu, Parulkar, Varghese, "A Reliable and Scalable
/// Striping Protocol".) Inlinable, because each postback passes through one, and code that is generic at run time looks up
/// the types of each value that it moves.
public struct FairQueue<Element: Sendable>: Sendable {
  public struct Load: Equatable, Sendable {
    public private(set) var elements = 0
    /// Their bytes.
    public private(set) var bytes = 0

    @usableFromInline mutating func add(bytes: Int) {
      elements += 1
      self.bytes += bytes
    }

    @usableFromInline mutating func remove(bytes: Int) {
      elements -= 1
      self.bytes -= bytes
    }
  }

  @usableFromInline struct Waiting: Sendable {
    @usableFromInline let element: Element
    @usableFromInline let bytes: Int
    @usableFromInline let work: Int

    @inlinable init(element: Element, bytes: Int, work: Int) {
      self.element = element
      self.bytes = bytes
      self.work = work
    }
  }

  @usableFromInline struct Line: Sendable {
    /// Those before `first` are taken and `nil`.
    @usableFromInline var waiting: [Waiting?] = []
    @usableFromInline var first = 0
    @usableFromInline var load = Load()
    /// Work that the sender may still ask for in this turn; below zero where the last turn took more than its part.
    @usableFromInline var credit: Int

    @inlinable init(credit: Int) { self.credit = credit }
  }

  /// No sender's share of the bytes is smaller than this part of all, however many wait.
  @usableFromInline static var mostSharers: Int { 32 }

  @usableFromInline let mostElements: Int
  @usableFromInline let mostBytes: Int
  @usableFromInline let workOfTurn: Int
  @usableFromInline var lines: [Line] = []
  @usableFromInline var places: [String: Int] = [:]
  @usableFromInline var turn = 0
  /// Senders that have something waiting.
  @usableFromInline var sharers = 0
  @usableFromInline var whole = Load()
  /// What waits in all lines together.
  public var load: Load { whole }

  /// Sets the limits.
  ///
  /// - Parameters:
  ///   - elements: Elements of one sender that wait at most.
  ///   - bytes: Bytes of all senders together; a sender's last element may go beyond its share.
  ///   - workOfTurn: Work after which it is the next sender's turn, at least 1.
  @inlinable public init(elements: Int, bytes: Int, workOfTurn: Int) {
    mostElements = elements
    mostBytes = bytes
    self.workOfTurn = max(1, workOfTurn)
  }

  @inlinable public var isEmpty: Bool { whole.elements == 0 }

  /// Lets an element wait at the end of its sender's line.
  ///
  /// - Parameters:
  ///   - sender: Whose it is; one of a bounded number of names.
  ///   - bytes: Memory that it holds.
  ///   - work: What it costs to deal with it.
  /// - Returns: `false` when the sender has too much waiting.
  @inlinable public mutating func append(_ element: Element, from sender: String, bytes: Int, work: Int)
    -> Bool
  {
    let place = place(of: sender)
    let own = lines[place].load
    let share = mostBytes / min(Self.mostSharers, sharers + (own.elements == 0 ? 1 : 0))
    guard own.elements < mostElements, own.bytes < share else { return false }
    if own.elements == 0 { sharers += 1 }
    lines[place].waiting.append(Waiting(element: element, bytes: bytes, work: work))
    lines[place].load.add(bytes: bytes)
    whole.add(bytes: bytes)
    return true
  }

  /// Takes out elements, the senders in turn, until their work comes to an amount.
  ///
  /// - Parameter work: The amount; the last element may go beyond it, so that every call takes one where one waits.
  /// - Returns: The elements in the order in which they are to be dealt with.
  @inlinable public mutating func take(work: Int) -> [Element] {
    var taken: [Element] = []
    var left = work
    while left > 0, let (element, cost) = next() {
      taken.append(element)
      left -= cost
    }
    return taken
  }

  /// Takes out the element whose turn it is; `nil` when nothing waits.
  @inlinable public mutating func takeFirst() -> Element? { next()?.element }

  @inlinable mutating func place(of sender: String) -> Int {
    if let place = places[sender] { return place }
    lines.append(Line(credit: workOfTurn))
    places[sender] = lines.count - 1
    return lines.count - 1
  }

  @inlinable mutating func next() -> (element: Element, work: Int)? {
    guard !isEmpty else { return nil }
    while lines[turn].load.elements == 0 || lines[turn].credit <= 0 {
      if lines[turn].load.elements > 0 { lines[turn].credit += workOfTurn }
      turn = (turn + 1) % lines.count
    }
    let first = lines[turn].first
    guard let waiting = lines[turn].waiting[first] else { return nil }
    lines[turn].waiting[first] = nil
    lines[turn].first += 1
    lines[turn].credit -= max(1, waiting.work)
    lines[turn].load.remove(bytes: waiting.bytes)
    whole.remove(bytes: waiting.bytes)
    if lines[turn].load.elements == 0 {
      lines[turn] = Line(credit: workOfTurn)
      sharers -= 1
    } else if lines[turn].first >= 1024, lines[turn].first * 2 >= lines[turn].waiting.count {
      lines[turn].waiting.removeFirst(lines[turn].first)
      lines[turn].first = 0
    }
    return (waiting.element, waiting.work)
  }
}
