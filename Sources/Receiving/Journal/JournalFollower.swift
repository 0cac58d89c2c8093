/// Reads a journal behind a place, and proves that it is the one that was followed so far.
///
/// It stores nothing. A caller applies what ``next(atMost:)`` gives and stores the last ``FollowedBatch/place`` and the
/// numbers in one transaction; where that fails, it makes a new follower from what it has stored.
package struct JournalFollower: ~Copyable {
  /// Bytes of contents after which one call ends.
  private static let mostBytes = 1 << 25

  private let journal: any Journal
  package private(set) var place: JournalPlace
  /// The newest batch of each node that was followed.
  package private(set) var numbers: [NodeName: BatchNumber]
  /// The newest batch that the journal had at the last reading, to know how far the place is behind it.
  package private(set) var last: JournalPosition

  /// - Parameter numbers: The newest batch of each node up to the place; empty at the start of a journal.
  package init(_ journal: any Journal, at place: JournalPlace, numbers: [NodeName: BatchNumber] = [:]) {
    self.journal = journal
    self.place = place
    self.numbers = numbers
    last = place.position
  }

  /// Follows a batch that was just appended, where no other came between; it need not be read then.
  ///
  /// - Returns: Its place; `nil` where it is found by ``next(atMost:)``.
  /// - Throws: ``JournalError/diverged(at:)`` where the journal has another past.
  package mutating func take(_ batch: AppendedBatch) throws(JournalError) -> FollowedBatch? {
    guard batch.position == place.position.next, let chain = batch.chain,
      batch.number == (numbers[batch.node] ?? BatchNumber(0)).next
    else { return nil }
    guard chain == place.chain.next(node: batch.node, number: batch.number, batch: batch.body) else {
      throw .diverged(at: place.position)
    }
    place = JournalPlace(identity: place.identity, position: batch.position, chain: chain)
    numbers[batch.node] = batch.number
    last = max(last, batch.position)
    return FollowedBatch(place: place, node: batch.node, number: batch.number, content: [])
  }

  /// The next batches, in their order; none where there is no further one yet.
  ///
  /// - Parameter count: The most batches, at least 1.
  /// - Throws: ``JournalError/diverged(at:)``, ``JournalError/otherJournal(found:expected:)``,
  ///   ``JournalError/deleted(after:first:)`` and ``JournalError/broken(at:reason:)``, after which following must end;
  ///   ``JournalError/serverIsBehind(place:last:)`` and ``JournalError/unavailable(reason:)``, after which it may be
  ///   called again.
  package mutating func next(atMost count: Int) throws(JournalError) -> [FollowedBatch] {
    let reading = try self.reading(atMost: max(1, count))
    // Most looks find none, and an unpacker takes much memory.
    guard !reading.batches.isEmpty else { return [] }
    let unpacker = BatchUnpacker()
    var (at, newest) = (place, numbers)
    var followed: [FollowedBatch] = []
    var bytes = 0
    // Small batches can have large contents; the rest is read again.
    for batch in reading.batches where bytes < Self.mostBytes {
      // Where nothing else shows the journal's past, its next batch does.
      at = try Self.place(behind: batch, at, showsPast: at == place && reading.chain == nil)
      let known = newest[batch.node]
      if let known, batch.number > known.next {
        throw .broken(
          at: batch.position, reason: "batches of \(batch.node) before \(batch.number) are missing")
      }
      guard batch.number > known ?? BatchNumber(0) else {
        followed.append(FollowedBatch(place: at, node: batch.node, number: batch.number, content: nil))
        continue
      }
      newest[batch.node] = batch.number
      let content: [UInt8]
      do throws(BatchError) { content = try unpacker.unpack(batch.body) } catch {
        throw .unreadable(at: batch.position, error)
      }
      bytes += content.count
      followed.append(FollowedBatch(place: at, node: batch.node, number: batch.number, content: content))
    }
    (place, numbers) = (at, newest)
    return followed
  }

  /// Passes over the next batch, which the chain proves, and which cannot be unpacked.
  ///
  /// - Returns: The batch without a content, and what is wrong with it; `nil` where there is no next one or it can be unpacked.
  /// - Throws: What ``next(atMost:)`` throws, except for the batch itself.
  package mutating func passOver() throws(JournalError) -> (batch: FollowedBatch, defect: BatchError)? {
    let reading = try self.reading(atMost: 1)
    guard let batch = reading.batches.first else { return nil }
    let next = try Self.place(behind: batch, place, showsPast: reading.chain == nil)
    do throws(BatchError) { _ = try BatchUnpacker().unpack(batch.body) } catch {
      place = next
      numbers[batch.node] = max(batch.number, numbers[batch.node] ?? batch.number)
      return (FollowedBatch(place: next, node: batch.node, number: batch.number, content: []), error)
    }
    return nil
  }

  private mutating func reading(atMost count: Int) throws(JournalError) -> JournalReading {
    let reading = try journal.read(after: place.position, atMost: count)
    try check(reading)
    last = reading.ends.last
    return reading
  }

  /// The place behind a batch, which has to be the next one.
  ///
  /// - Parameter showsPast: Whether it is the only batch that shows the journal's past.
  private static func place(
    behind batch: JournalBatch, _ at: JournalPlace, showsPast: Bool
  ) throws(JournalError) -> JournalPlace {
    guard batch.position == at.position.next else {
      throw .broken(at: batch.position, reason: "it follows position \(at.position)")
    }
    let chain = at.chain.next(node: batch.node, number: batch.number, batch: batch.body)
    guard chain == batch.chain else {
      if showsPast { throw .diverged(at: at.position) }
      throw .broken(at: batch.position, reason: "its digest is another one")
    }
    return JournalPlace(identity: at.identity, position: batch.position, chain: chain)
  }

  /// Compares the journal with the place.
  private func check(_ reading: JournalReading) throws(JournalError) {
    guard reading.ends.identity == place.identity else {
      throw .otherJournal(found: reading.ends.identity, expected: place.identity)
    }
    guard place.position.next >= reading.ends.first else {
      throw .deleted(after: place.position, first: reading.ends.first)
    }
    if place.position == .start {
      guard place.chain == ChainDigest(start: place.identity) else { throw .diverged(at: place.position) }
    } else if let chain = reading.chain {
      guard chain == place.chain else { throw .diverged(at: place.position) }
    } else if place.position > reading.ends.last {
      throw .serverIsBehind(place: place.position, last: reading.ends.last)
    }
  }
}

/// A batch that the chain proves.
package struct FollowedBatch: Equatable, Sendable {
  /// The place behind it.
  package let place: JournalPlace
  package let node: NodeName
  package let number: BatchNumber
  /// The unpacked bytes; `nil` for a batch that came before, of which only the place is stored.
  package let content: [UInt8]?
}
