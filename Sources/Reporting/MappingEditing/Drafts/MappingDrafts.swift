import JSONText
package import Ledger
import Mappings
package import Postbacks
package import Values

/// The drafts of a database: begun, saved, discarded; what is published of them is up to ``MappingPublisher``.
package struct MappingDrafts: Sendable {
  /// The longest document of a draft, in bytes.
  package static let largestDocument = 512 << 10
  /// How many drafts there may be.
  package static let most = 200
  /// The longest name that is kept, in bytes.
  static let longestName = 200

  private let changes: any ChangeWriter & Sendable

  /// Writes where changes of the database go.
  package init(_ changes: any ChangeWriter & Sendable) { self.changes = changes }

  package enum Beginning: Sendable {
    case version(Instant)
    /// One rule, in the currency and for the protocol of the version in force.
    case empty
    /// A ready-made mapping, in the currency and for the protocol of the version in force.
    case model(MappingModel)
    /// A document of our own format, right or not.
    case document([UInt8])
    /// A file of another system's format.
    case imported(MappingImport)
  }

  /// Begins a draft.
  ///
  /// - Parameters:
  ///   - name: What people call it; `nil` for the name in the document.
  /// - Throws: ``DraftError``, or `LedgerError`.
  package func begin(
    _ beginning: Beginning, app: AppID, name: String? = nil, by author: String, now: Instant
  ) throws -> StoredDraft {
    let all = try LedgerReader(path: changes.path).mappings()
    let versions = all.filter { $0.app == app }
    let inForce = versions.last { $0.effectiveFrom <= now } ?? versions.first
    var document: [UInt8]
    var baseFrom: Instant?
    switch beginning {
    case .version(let date):
      guard let version = versions.first(where: { $0.effectiveFrom == date }) else {
        throw DraftError.noVersion(app, date)
      }
      document = version.document
      baseFrom = date
    case .empty: document = Self.template(app: app, like: inForce, now: now)
    case .model(let model):
      document = model.document(inPlaceOf: inForce?.document ?? [], app: app, now: now, keepsHead: false)
    case .document(let bytes): document = bytes
    case .imported(let file): document = file.document
    }
    if baseFrom == nil { baseFrom = inForce?.effectiveFrom }
    try Self.check(document)
    let change = try DraftStore(changes).add(
      app: app, name: Self.name(name, document), document: document, baseState: all.state(of: app),
      baseFrom: baseFrom, by: author, now: now, atMost: Self.most)
    guard case .done(let draft) = change else { throw DraftError.tooMany }
    return draft
  }

  /// Saves another text of a draft.
  ///
  /// - Parameters:
  ///   - document: The text, right or not.
  ///   - name: What people call it; `nil` for the name in the document.
  ///   - state: The state of the app's versions that the author has looked at since; `nil` where that is none.
  /// - Returns: What became of it; a draft that another author has saved is kept.
  /// - Throws: ``DraftError/tooLarge(_:)``, or `LedgerError`.
  package func save(
    _ id: Int64, ifMatch etag: String, document: [UInt8], name: String? = nil, knowing state: String? = nil,
    by author: String, now: Instant
  ) throws -> DraftStore.Outcome {
    try Self.check(document)
    return try DraftStore(changes).save(
      id, ifMatch: etag, name: Self.name(name, document), document: document, baseState: state, by: author,
      now: now)
  }

  /// Deletes a draft, unless another author has saved it since.
  package func discard(_ id: Int64, ifMatch etag: String?) throws -> DraftStore.Outcome {
    try DraftStore(changes).discard(id, ifMatch: etag)
  }

  private static func check(_ document: [UInt8]) throws(DraftError) {
    guard document.count <= largestDocument else { throw .tooLarge(document.count) }
  }

  /// The name of a draft: the one that was asked for, or that of the document as far as it can be read.
  private static func name(_ wanted: String?, _ document: [UInt8]) -> String {
    var name = wanted ?? ""
    if name.isEmpty {
      let root = try? JSONReader.read(document, allowingDuplicates: true)
      name = root?.value.object?["name"]?.value.string ?? ""
    }
    if name.isEmpty { name = "Draft" }
    guard name.utf8.count > longestName else { return name }
    return String(String.UnicodeScalarView(name.unicodeScalars.prefix(longestName / 4)))
  }

  /// A mapping that is complete and means next to nothing.
  private static func template(app: AppID, like version: StoredMapping?, now: Instant) -> [UInt8] {
    let mapping = version.flatMap { MappingDocument.read($0.document).document?.mapping }
    let device = mapping?.device ?? .skan4
    let json: JSONOutput = [
      "name": "New mapping", "app": .integer(app.number),
      "currency": .string(mapping?.currency.text ?? "USD"),
      "effective-from": .string("\(now.day.next)"), "protocol": .string(device.rawValue),
      "fine": [["value": 0, "label": "installed"]],
    ]
    return json.bytes(pretty: true) + [0x0A]
  }
}

/// Why a draft can't be begun or saved.
package enum DraftError: UserFacingError, Equatable {
  /// The document is that long.
  case tooLarge(Int)
  case tooMany
  case noVersion(AppID, Instant)
  /// The number is no app's.
  case noApp
  /// There is no draft of that number.
  case noDraft(Int64)
  /// Too many proposals are being made.
  case busy
  /// The file is not of the format, or lacks something; `line` is where it was found, where that is known.
  case notImported(Sentence, line: Int? = nil)

  package var exitCode: ExitCode { .data }

  /// The line of the file where it was found; `nil` where that is unknown.
  package var line: Int? {
    guard case .notImported(_, let line) = self else { return nil }
    return line
  }

  package var message: String { sentence.english }
  package var remedy: String? { cure?.english }

  package var sentence: Sentence {
    switch self {
    case .tooLarge(let bytes):
      Sentence("the draft has \(bytes) bytes; the maximum is \(MappingDrafts.largestDocument)")
    case .tooMany: Sentence("there are \(MappingDrafts.most) drafts, which is the maximum")
    case .noVersion(let app, let date):
      Sentence("app \(code: app.number) has no mapping version of \(date)")
    case .noApp: Sentence("an app is needed: the digits of its App Store address")
    case .noDraft(let id): Sentence("there is no draft \(id)")
    case .busy: Sentence("other proposals are being made already")
    case .notImported(let sentence, _): sentence
    }
  }

  /// What to do about it, as a clause; `nil` where nothing is known.
  package var cure: Sentence? {
    switch self {
    case .tooLarge: Sentence("use grids for ranges, and fewer rules")
    case .tooMany: Sentence("discard a draft with `skan mapping drafts ID --discard`")
    case .noVersion: Sentence("`skan mapping list` lists the versions")
    case .noDraft: Sentence("`skan mapping drafts` lists the drafts")
    case .busy: Sentence("try again in a minute")
    case .noApp, .notImported: nil
    }
  }
}
