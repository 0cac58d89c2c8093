import JSONText
import System
import Values

/// A folder with an export: only its own files are in it, and only one process writes it.
final class ExportFolder {
  private static let lockName = ".lock"
  /// Bytes of a manifest at most; ten years of hourly exports have a tenth of it.
  private static let mostManifestBytes = 256 << 20

  let path: String
  /// The manifest as it was found; `nil` where there is none yet.
  private(set) var manifest: ExportManifest?
  /// Files that an interrupted run left, which were deleted.
  private(set) var leftovers = 0
  private let lock: FileLock

  /// Opens a folder or makes it, and deletes what an interrupted run left in it.
  ///
  /// - Throws: ``ExportError``, a `JSONFileError` of the manifest, or a `FileError`.
  init(_ path: String) throws {
    let folder = try Folder(making: path)
    self.path = path
    try folder.requireWritable()
    let entries = try folder.entries()
    let manifestPath = "\(path)/\(ExportManifest.fileName)"
    let hasManifest = entries.contains { $0.name == ExportManifest.fileName && !$0.isFolder }
    // Before the lock makes a file in a folder of another program.
    if !hasManifest, let other = entries.first(where: { $0.name != Self.lockName }) {
      throw ExportError.foreign(folder: path, name: other.name)
    }
    guard let lock = FileLock(path: "\(path)/\(Self.lockName)") else { throw ExportError.busy(folder: path) }
    self.lock = lock
    guard hasManifest else { return }
    let bytes = try FileReader.contents(of: manifestPath, limit: Self.mostManifestBytes)
    let file = JSONFile(bytes, name: manifestPath, schema: "docs/reference/export.md")
    let manifest = try ExportManifest(file, folder: path)
    let leftovers = try Self.leftovers(in: folder, besides: Set(manifest.files.map(\.path.text)))
    for leftover in leftovers { try folder.remove(leftover) }
    self.leftovers = leftovers.count
    self.manifest = manifest
  }

  func makeFolder(of part: PartPath) throws(FileError) -> String {
    if part.stream == .corrections { _ = try Folder(making: "\(path)/\(Self.corrections)") }
    return try Folder(making: "\(path)/\(part.folder)").path
  }

  /// Writes the files that state the columns of rows.
  func writeSchemas(hasCorrections: Bool) throws(FileError) {
    for schema in WarehouseSchema.allCases {
      let text = schema.text(of: PostbackLine.headers, hasCorrections: hasCorrections)
      try AtomicFile.write(Array(text.utf8), to: "\(path)/\(schema.fileName)")
    }
  }

  func write(_ manifest: ExportManifest, program: String, schema: Int) throws(FileError) {
    try AtomicFile.write(
      Array(manifest.text(program: program, schema: schema).utf8), to: "\(path)/\(ExportManifest.fileName)")
  }

  /// Deletes the files of a manifest that is not in force any more.
  func remove(_ files: [ExportManifest.File]) throws(FileError) {
    let folder = try Folder(path)
    for file in files { try folder.remove(file.path.text) }
  }

  /// The name of the folder of corrections.
  private static let corrections = String(PartPath.Stream.corrections.rawValue.dropLast())

  /// The files that the manifest does not have and that this program names so; whatever else is there is an error.
  private static func leftovers(in folder: Folder, besides known: Set<String>) throws -> [String] {
    let own = [ExportManifest.fileName] + WarehouseSchema.allCases.map(\.fileName)
    var leftovers: [String] = []
    for entry in try folder.entries() {
      switch entry.name {
      case lockName: continue
      case let name where own.contains(name) && !entry.isFolder: continue
      // What replaces one of them has such a name for a moment.
      case let name where own.contains(where: { name.hasPrefix($0 + ".") }) && !entry.isFolder:
        leftovers.append(name)
      case corrections where entry.isFolder:
        for day in try Folder("\(folder.path)/\(corrections)").entries() {
          leftovers += try unlisted(.corrections, day, in: folder, besides: known)
        }
      default: leftovers += try unlisted(.rows, entry, in: folder, besides: known)
      }
    }
    return leftovers
  }

  /// The files of a day's folder that the manifest does not have.
  private static func unlisted(
    _ stream: PartPath.Stream, _ entry: Folder.Entry, in folder: Folder, besides known: Set<String>
  ) throws -> [String] {
    let name = stream.rawValue + entry.name
    guard entry.isFolder, let day = PartPath.day(ofFolder: entry.name) else {
      throw ExportError.foreign(folder: folder.path, name: name)
    }
    return try Folder("\(folder.path)/\(name)").entries().compactMap { file in
      let path = "\(name)/\(file.name)"
      guard !file.isFolder, isPart(file.name, of: day) else {
        throw ExportError.foreign(folder: folder.path, name: path)
      }
      return known.contains(path) ? nil : path
    }
  }

  private static func isPart(_ name: String, of day: Day) -> Bool {
    let isHidden = name.hasPrefix(".") && name.hasSuffix(PartialFile.ending)
    let plain = isHidden ? String(name.dropFirst().dropLast(PartialFile.ending.count)) : name
    return PartPath(day: day, fileName: plain) != nil
  }
}
