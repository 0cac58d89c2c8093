public import ConversionMapping
import Crypto
public import Ledger
public import Platform
import Postbacks

/// Takes mapping files into a ledger: what is right replaces what was there, what is broken leaves it in force.
public struct MappingLoad: Sendable {
  /// A mapping file, read or not.
  public struct File: Sendable {
    /// The name that stands for it in the ledger.
    public let source: String
    /// Its bytes, or why they can't be had.
    public let contents: Result<[UInt8], FileError>

    /// Names bytes.
    public init(source: String, contents: Result<[UInt8], FileError>) {
      self.source = source
      self.contents = contents
    }

    /// Reads a file; of one that is too long for a mapping only as much as shows that.
    public init(path: String, source: String) {
      self.source = source
      do throws(FileError) {
        let file = try FileReader(path)
        var bytes: [UInt8] = []
        while bytes.count <= MappingDocument.largestFile {
          let chunk = try file.read()
          if chunk.isEmpty { break }
          bytes += chunk
        }
        contents = .success(bytes)
      } catch {
        contents = .failure(error)
      }
    }
  }

  /// What became of one file.
  public struct Entry: Sendable {
    /// The file's name in the ledger.
    public let source: String
    /// What became of it.
    public let outcome: Outcome
    /// What a check found, also where the file was taken.
    public let findings: [ConversionMapping.Finding]
    /// The mapping, where the file holds one.
    public let mapping: Mapping?
    /// Whether an older state of the file stays in force.
    public let keepsOld: Bool
  }

  /// What can become of a file.
  public enum Outcome: Sendable {
    /// It is new.
    case added
    /// It is another than before.
    case changed
    /// It is what it was.
    case unchanged
    /// It is gone, and its mapping with it.
    case removed
    /// It has errors.
    case refused
    /// It can't be read.
    case unreadable(FileError)
    /// Another file has a mapping of the same app from the same moment.
    case clash(with: String)

    /// The word for it.
    public var word: String {
      switch self {
      case .added: "added"
      case .changed: "changed"
      case .unchanged: "unchanged"
      case .removed: "removed"
      case .refused: "refused"
      case .unreadable: "unreadable"
      case .clash: "clash"
      }
    }

    /// Whether the file was not taken.
    public var isFailure: Bool {
      switch self {
      case .added, .changed, .unchanged, .removed: false
      case .refused, .unreadable, .clash: true
      }
    }
  }

  /// Takes files into a ledger, in one transaction.
  ///
  /// - Parameters:
  ///   - files: The files.
  ///   - store: Where they go.
  ///   - isWhole: Whether these are all files there are, so that mappings of others are removed. Otherwise a mapping
  ///     takes the place of the one of the same app from the same moment, whatever that one's file was called, and a
  ///     name that stands for another one gets the app and the moment added.
  ///   - now: The time.
  /// - Returns: What became of each file, in the order of the files; removed ones follow.
  /// - Throws: ``LedgerError``; then nothing has changed.
  public static func load(_ files: [File], into store: MappingStore, isWhole: Bool, now: Instant)
    throws(LedgerError) -> [Entry]
  {
    let old = try store.mappings()
    let files = isWhole ? files : files.map { named($0, among: old) }
    let names = Set(files.map(\.source))
    var kept = isWhole ? [] : old.filter { !names.contains($0.source) }
    var entries: [Entry] = []
    // Old states of broken files go first, because what is in force must not be driven out.
    let readings = files.map { file in (file, read(file)) }
    for (file, reading) in readings where reading?.sound == nil {
      kept += old.filter { $0.source == file.source }
    }
    for (file, reading) in readings {
      let before = old.first { $0.source == file.source }
      func add(_ outcome: Outcome) {
        entries.append(
          Entry(
            source: file.source, outcome: outcome, findings: reading?.findings ?? [],
            mapping: reading?.sound, keepsOld: outcome.isFailure && before != nil))
      }
      switch file.contents {
      case .failure(let error): add(.unreadable(error))
      case .success(let bytes):
        guard let mapping = reading?.sound else {
          add(.refused)
          continue
        }
        if let other = kept.first(where: {
          $0.app == mapping.app && $0.effectiveFrom == mapping.effectiveFrom
        }) {
          add(.clash(with: other.source))
          if let before,
            !kept.contains(where: { $0.app == before.app && $0.effectiveFrom == before.effectiveFrom })
          {
            kept.append(before)
          }
          continue
        }
        let digest = SHA256Digest(of: bytes).hex
        let isSame = before?.digest == digest
        kept.append(
          StoredMapping(
            source: file.source, app: mapping.app, effectiveFrom: mapping.effectiveFrom, digest: digest,
            loadedAt: isSame ? before?.loadedAt ?? now : now, document: bytes))
        add(isSame ? .unchanged : before == nil ? .added : .changed)
      }
    }
    for gone in old where isWhole && !names.contains(gone.source) {
      entries.append(
        Entry(source: gone.source, outcome: .removed, findings: [], mapping: nil, keepsOld: false))
    }
    if Set(kept) != Set(old) { try store.replaceAll(with: kept) }
    return entries
  }

  /// A single file under the name that its mapping has, or can have, in the ledger.
  private static func named(_ file: File, among old: [StoredMapping]) -> File {
    guard let mapping = read(file)?.sound else { return file }
    if let same = old.first(where: { $0.app == mapping.app && $0.effectiveFrom == mapping.effectiveFrom }) {
      return File(source: same.source, contents: file.contents)
    }
    guard old.contains(where: { $0.source == file.source }) else { return file }
    return File(
      source: "\(file.source) (\(mapping.app.number), \(mapping.effectiveFrom))", contents: file.contents)
  }

  private static func read(_ file: File) -> MappingDocument.Reading? {
    guard case .success(let bytes) = file.contents else { return nil }
    return MappingDocument.check(bytes)
  }
}

extension MappingDocument.Reading {
  /// The mapping, unless anything in its file is an error.
  fileprivate var sound: Mapping? {
    findings.contains { $0.severity == .error } ? nil : document?.mapping
  }
}
