import System

/// The desks of a program, one for each folder of samples.
package final class DeskCache: Sendable {
  /// How many folders are known at a time; a program has one.
  private static let most = 4

  private let desks = Guarded<[(folder: String, desk: TrialDesk)]>([])

  package init() {}

  package func desk(_ folder: String) -> TrialDesk {
    desks.withLock { desks in
      if let known = desks.first(where: { $0.folder == folder }) { return known.desk }
      let desk = TrialDesk(folder: folder)
      desks.append((folder, desk))
      if desks.count > Self.most { desks.removeFirst() }
      return desk
    }
  }
}
