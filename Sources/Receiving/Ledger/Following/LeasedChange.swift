import SQLite

/// A change that only the holder of a job makes: nothing happens where another process has had the job since.
///
/// So what a node sent before it was cut off, and what it still was at, cannot undo what its successor did.
struct LeasedChange<Change: LedgerChange>: LedgerChange {
  static var kind: ChangeKind { .leased }

  let job: String
  /// The epoch of its author's lease.
  let epoch: Int64
  let change: Change

  /// Returns what the change did; `nil` where its author has the job no longer.
  func apply(on connection: borrowing LedgerDatabase) throws(LedgerError) -> Change.Outcome? {
    guard try Lease.held(job, on: connection)?.epoch == epoch else { return nil }
    return try change.apply(on: connection)
  }

  static var form: Form<Self> {
    Form { (job: String, epoch: Int64, kind: UInt8, change: Change) throws(ChangeDefect) in
      guard kind == Change.kind.rawValue else { throw .badValue(of: "kind") }
      return Self(job: job, epoch: epoch, change: change)
    } _: {
      ($0.job, $0.epoch, Change.kind.rawValue, $0.change)
    }
  }
}

/// Reads a change of which only its bytes name the kind.
enum LeasedChanges {
  static func read(_ bytes: inout ChangeDecoder) throws(ChangeDefect) -> any LedgerChange {
    let (job, epoch): (String, Int64) = (try bytes.next(), try bytes.next())
    let number = try bytes.byte()
    guard let kind = ChangeKind(rawValue: number) else { throw .unknownKind(number) }
    // One within another would go on for as long as the bytes do.
    guard kind != .leased else { throw .badValue(of: "kind") }
    return leased(try kind.read(&bytes), job, epoch)
  }

  private static func leased<Change: LedgerChange>(
    _ change: Change, _ job: String, _ epoch: Int64
  ) -> any LedgerChange {
    LeasedChange(job: job, epoch: epoch, change: change)
  }
}

/// Writes changes of a job while this process has it.
package struct LeasedWriter: ChangeWriter, Sendable {
  private let changes: any ChangeWriter & Sendable
  private let job: String
  private let epoch: Int64

  package init(_ changes: any ChangeWriter & Sendable, job: String, epoch: Int64) {
    (self.changes, self.job, self.epoch) = (changes, job, epoch)
  }

  package var path: String { changes.path }

  package func read<Value: Sendable>(
    _ question: @Sendable (LedgerReader) throws(LedgerError) -> Value
  ) throws(LedgerError) -> Value {
    try changes.read(question)
  }

  package func write<Change: LedgerChange>(_ change: Change) throws(LedgerError) -> Change.Outcome {
    guard let outcome = try changes.write(LeasedChange(job: job, epoch: epoch, change: change)) else {
      throw .journal(reason: "another node has the jobs of this one by now", remedy: nil)
    }
    return outcome
  }
}
