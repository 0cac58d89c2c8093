import SQLite
import System
public import Verification

extension LedgerReader {
  /// Rows that one thread examines at a time.
  private static let bodiesAtOnce: Int64 = 128

  /// Digests every stored body again, and verifies the signature of every postback and copy whose key is known.
  ///
  /// The writer goes on meanwhile, and its log is not held: rows are read in pieces, because a body never changes.
  ///
  /// - Parameters:
  ///   - keyring: The keys of the service that stored them.
  ///   - isInterrupted: Looked at now and then; `true` ends the work as ``LedgerError/tookTooLong``.
  ///   - didRead: Called now and then with the number of bodies that were read.
  /// - Complexity: Linear in the bytes of the bodies; a signature takes as long as at its arrival.
  public func examineBodies(
    by keyring: Keyring, isInterrupted: @escaping () -> Bool = { false }, didRead: (Int) -> Void = { _ in }
  ) throws(LedgerError) -> BodyFindings {
    connection.endStatements(when: isInterrupted)
    let findings = Guarded(BodyFindings())
    let queue: OrderedWorkQueue<[StoredBody], BodyFindings>
    do throws(ThreadError) {
      queue = try OrderedWorkQueue { bodies in
        var found = BodyFindings()
        for body in bodies { body.examine(by: keyring, &found) }
        return found
      } deliver: { found, _ in
        findings.withLock { $0 += found }
      }
    } catch {
      throw .noThread(error)
    }
    var read = 0
    for source in StoredBody.Source.allCases {
      let statement = try connection.prepare(source.sql)
      var last: (Int64, Int64)? = (.min, .min)
      while let (row, kind) = last {
        try statement.bind(row, kind, Self.bodiesAtOnce)
        let bodies = try statement.rows { StoredBody(source, $0) }
        last = bodies.last.map { ($0.row, $0.kind) }
        read += bodies.count
        queue.add(bodies)
        didRead(read)
      }
    }
    queue.finish()
    return findings.withLock { $0 }
  }
}
