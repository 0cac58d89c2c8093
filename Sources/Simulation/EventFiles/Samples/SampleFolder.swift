package import System
package import Values

/// The events files of a folder, as samples of users that stay in memory while they are asked for.
package final class SampleFolder: Sendable {
  /// What the names of events files end in.
  package static let endings = [
    ".csv", ".csv.gz", ".ndjson", ".ndjson.gz", ".jsonl", ".jsonl.gz",
  ]
  /// How many samples stay in memory.
  private static let mostKept = 4
  /// The most events of a sample, so that simulations stay fast enough to wait for.
  package static let mostEvents = 200_000

  package let folder: Folder
  /// The last ones that were asked for, the newest last.
  private let kept = Guarded<[UserSample]>([])
  /// Held while a file is read, so that two questions do not read it twice.
  private let reading = Guarded(())

  package init(_ folder: Folder) { self.folder = folder }

  /// The events files, by name.
  ///
  /// - Throws: `FileError` when the folder can't be read.
  package func names() throws(FileError) -> [String] { try marks().map(\.name) }

  private func marks() throws(FileError) -> [FileMark] {
    try folder.files(endingWith: "").filter { mark in
      Self.endings.contains { mark.name.hasSuffix($0) }
    }
  }

  /// A sample, from memory where the file is what it was.
  ///
  /// - Parameters:
  ///   - name: The file's name, one of ``names()``.
  ///   - currency: The currency of amounts that name none.
  /// - Returns: The sample; `nil` where the folder has no such file.
  /// - Throws: `EventFileError`, `FileError` or `GzipError`.
  package func sample(_ name: String, currency: CurrencyCode?) throws -> UserSample? {
    guard let mark = try marks().first(where: { $0.name == name }) else { return nil }
    let identity = UserSample.Identity(mark: mark, currency: currency, number: 0)
    if let known = known(identity) { return known }
    return try reading.withLock { _ in
      if let known = known(identity) { return known }
      let sample = try UserSample(
        path: "\(folder.path)/\(name)", name: name, currency: currency, mostEvents: Self.mostEvents,
        identity: identity)
      kept.withLock { kept in
        kept.append(sample)
        if kept.count > Self.mostKept { kept.removeFirst() }
      }
      return sample
    }
  }

  private func known(_ identity: UserSample.Identity) -> UserSample? {
    kept.withLock { kept in
      guard let index = kept.firstIndex(where: { $0.identity == identity }) else { return nil }
      let sample = kept.remove(at: index)
      kept.append(sample)
      return sample
    }
  }
}
