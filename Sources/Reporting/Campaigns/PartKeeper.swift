package import Ledger
import System
package import Values

/// Something that costs much to make, of which several answers are made.
package protocol KeptPart: AnyObject, Sendable {
  /// The memory that it takes; it can grow while questions are answered from it.
  var bytes: Int { get }
  /// Whether other questions of its key can be answered from it.
  var isForOthers: Bool { get }
  /// Forgets what was asked for longest ago of what the newest question does not need, if there is anything.
  func shrink() -> Bool
}

/// What a question is answered from is not there, and the thread that asks may not make it.
package struct PartIsMissing: Error {
  package init() {}
}

/// Keeps costly parts of answers in memory while what they were made from is the same, those that were asked for last.
package final class PartKeeper: Sendable {
  /// What a part was made from.
  package struct State: Hashable, Sendable {
    package let inputs: EstimateInputs
    /// What arrived until then is all there is.
    package let moment: Instant

    package init(_ inputs: EstimateInputs, _ moment: Instant) {
      (self.inputs, self.moment) = (inputs, moment)
    }
  }

  /// What distinguishes parts that are made of the same state.
  private struct Key: Hashable, Sendable {
    let source: String
    let settings: any Hashable & Sendable

    static func == (a: Self, b: Self) -> Bool {
      a.source == b.source && AnyHashable(a.settings) == AnyHashable(b.settings)
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(source)
      settings.hash(into: &hasher)
    }
  }

  private struct Entry: Sendable {
    let part: any KeptPart
    let state: State
    let madeAt: Instant
    /// Greater the later it was asked for.
    var turn: Int
  }

  private struct Content: Sendable {
    var entries: [Key: Entry] = [:]
    /// Those that a thread is at.
    var underWay: Set<Key> = []
    /// Keys of parts that are of one question alone.
    var unshared: Set<Key> = []
    var turn = 0
    var made = 0
    var answered = 0

    /// A part of a state, or else one that `isEnough`.
    mutating func entry(_ key: Key, _ state: State, _ isEnough: (Entry) -> Bool) -> Entry? {
      guard let entry = entries[key], entry.state == state || isEnough(entry) else { return nil }
      turn += 1
      answered += 1
      entries[key]?.turn = turn
      return entry
    }
  }

  /// Bytes of all parts: half of what a daemon should take.
  package static let usualBytes = 128 << 20

  /// Parts of small databases take few bytes, and readers can ask with any number of settings.
  private static let mostParts = 100

  /// What follows from imported rows alone.
  let rows = RowMemory()
  private let mostBytes: Int
  private let mostMillisecondsBehind: Int64
  private let content = Guarded(Content())

  /// - Parameters:
  ///   - mostBytes: The memory of all parts together; one that takes more is not kept.
  ///   - seconds: How old a part may be that lacks new conversions, where a question allows that.
  package init(mostBytes: Int = usualBytes, secondsBehind seconds: Int64 = 0) {
    self.mostBytes = mostBytes
    mostMillisecondsBehind = seconds * 1000
  }

  /// A part that was made from a state, or is made now; threads that ask for the same at once make it once.
  ///
  /// - Parameters:
  ///   - settings: All that it follows from beside the state.
  ///   - now: When it is asked for.
  ///   - canBeBehind: Whether one that lacks new conversions is enough, unless it is old.
  ///   - mayMake: Whether the thread may make it, or wait for another that does.
  /// - Returns: The part, and when it was made where it lacks new conversions.
  /// - Throws: What `make` throws; then nothing is kept. ``PartIsMissing`` where it is not there and may not be made.
  package func part<Part: KeptPart>(
    _ settings: some Hashable & Sendable, of state: State, now: Instant, canBeBehind: Bool,
    mayMake: Bool = true, _ make: () throws -> Part
  ) throws -> (part: Part, madeAt: Instant?) {
    let key = Key(source: state.inputs.source, settings: settings)
    // A clock that was put back has parts that seem to be of later.
    let enough = now + -mostMillisecondsBehind...now
    let kept = content.wait { content -> Entry?? in
      let entry = content.entry(key, state) { entry in
        canBeBehind && enough.contains(entry.madeAt) && entry.state.inputs.areOlder(than: state.inputs)
          && entry.state.moment <= state.moment
      }
      if let entry { return .some(entry) }
      if !mayMake || content.unshared.contains(key) { return .some(nil) }
      return content.underWay.insert(key).inserted ? .some(nil) : nil
    }
    if let kept, let part = kept.part as? Part {
      return (part, kept.state == state ? nil : kept.madeAt)
    }
    guard mayMake else { throw PartIsMissing() }
    defer {
      content.withLock { _ = $0.underWay.remove(key) }
      content.wakeAll()
    }
    let part = try make()
    keep(part, key, of: state, madeAt: now)
    return (part, nil)
  }

  private func keep(_ part: any KeptPart, _ key: Key, of state: State, madeAt now: Instant) {
    content.withLock { content in
      content.made += 1
      guard part.isForOthers else {
        // Without its mark a question only waits for another of the same key.
        if content.unshared.count >= Self.mostParts { content.unshared.removeAll() }
        content.unshared.insert(key)
        return
      }
      content.turn += 1
      content.entries[key] = Entry(part: part, state: state, madeAt: now, turn: content.turn)
      if content.entries.count > Self.mostParts,
        let oldest = content.entries.min(by: { $0.value.turn < $1.value.turn })
      {
        content.entries[oldest.key] = nil
      }
    }
  }

  /// How many parts were made, and how many questions were answered from parts that were there.
  package var counts: (made: Int, answered: Int) { content.withLock { ($0.made, $0.answered) } }

  /// Forgets the parts that were asked for longest ago, until the others take no more than they may; called after an answer,
  /// with which a part can have grown.
  package func releaseMemory() {
    let entries = content.withLock { $0.entries }
    var sizes = entries.mapValues { $0.part.bytes }
    var sum = sizes.values.reduce(0, +)
    let oldest = entries.sorted { $0.value.turn < $1.value.turn }
    for (key, entry) in oldest {
      while sum > mostBytes, entry.part.shrink() {
        sum -= sizes[key] ?? 0
        sizes[key] = entry.part.bytes
        sum += sizes[key] ?? 0
      }
    }
    for (key, entry) in oldest where sum > mostBytes {
      content.withLock { content in
        guard content.entries[key]?.part === entry.part else { return }
        content.entries[key] = nil
      }
      sum -= sizes[key] ?? 0
    }
  }

  /// The memory that all parts take.
  package var bytes: Int { content.withLock { $0.entries }.values.reduce(0) { $0 + $1.part.bytes } }
}
