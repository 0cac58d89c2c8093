package import JSONText
package import Postbacks
package import Values

/// What an export consists of, and where the next run goes on: the content of `manifest.json`.
package struct ExportManifest: Equatable, Sendable {
  package static let fileName = "manifest.json"
  /// The layout of folder and manifest that this program writes.
  package static let layout: Int64 = 2

  package struct File: Equatable, Sendable {
    /// Its path in the folder, such as `date=2026-11-20/part-0001.ndjson.gz`.
    package let path: PartPath
    package let rows: Int64
    package let bytes: Int64
    /// 64 hexadecimal digits.
    package let sha256: String
  }

  /// The last postback that was exported.
  package struct Cursor: Equatable, Sendable {
    package let row: Int64
    package let receivedAt: Instant
    package let identifier: String
  }

  /// A version of a mapping that exported rows were decoded by, or could have been.
  package struct Mapping: Hashable, Sendable {
    package let app: AppID
    package let effectiveFrom: Instant
    /// The SHA-256 of the document, in hexadecimal digits.
    package let digest: String
  }

  package var environment: String
  /// `nil` where nothing was exported yet.
  package var last: Cursor?
  /// The versions of mappings in the database at the last run, in their order.
  package var mappings: [Mapping] = []
  package var files: [File] = []

  /// Rows of all files but corrections.
  package var rows: Int64 { files.reduce(0) { $0 + ($1.path.stream == .rows ? $1.rows : 0) } }

  /// From when on installs can be decoded in another way than they were exported, by app.
  func changes(to new: [Mapping]) -> [AppID: Instant] {
    Dictionary(
      Set(mappings).symmetricDifference(new).map { ($0.app, $0.effectiveFrom) }, uniquingKeysWith: min)
  }
}

extension ExportManifest {
  /// The text of the file.
  ///
  /// - Parameters:
  ///   - program: The program that writes it, with its version.
  ///   - schema: The layout of the database.
  /// - Returns: JSON with a line break at the end.
  package func text(program: String, schema: Int) -> String {
    let json: JSONOutput = [
      "format": "skan-export", "layout": .integer(Self.layout), "program": .string(program),
      "database-layout": .integer(Int64(schema)), "environment": .string(environment),
      "last-postback": last.map { last in
        [
          "row": .integer(last.row), "received-at": .string(last.receivedAt.description),
          "id": .string(last.identifier),
        ] as JSONOutput
      } ?? .null,
      "mappings": .array(
        mappings.map { mapping in
          [
            "app": .integer(mapping.app.number), "effective-from": .string(mapping.effectiveFrom.description),
            "sha-256": .string(mapping.digest),
          ] as JSONOutput
        }),
      "rows": .integer(rows),
      "files": .array(
        files.map { file in
          [
            "path": .string(file.path.text), "rows": .integer(file.rows), "bytes": .integer(file.bytes),
            "sha-256": .string(file.sha256),
          ] as JSONOutput
        }),
    ]
    return json.text(pretty: true) + "\n"
  }

  /// Reads the file.
  ///
  /// - Throws: ``JSONFileError`` where it is not as ``text(program:schema:)`` writes it, or ``ExportError`` where a newer
  ///   program wrote it.
  package init(_ file: JSONFile, folder: String) throws {
    let layout = try file.read { (root) throws(JSONProblem) in
      try root.members().required("layout").integer(in: 1...Int64.max)
    }
    guard layout <= Self.layout else {
      throw ExportError.newerLayout(folder: folder, found: layout, known: Self.layout)
    }
    self = try file.read { (root) throws(JSONProblem) in try Self(root) }
  }

  private init(_ root: JSONPlace) throws(JSONProblem) {
    let members = try root.members(
      JSONForm(
        "a manifest",
        required: [
          "format", "layout", "program", "database-layout", "environment", "last-postback", "mappings",
          "rows", "files",
        ], optional: []))
    let format = try members.required("format")
    guard try format.text() == "skan-export" else { throw format.mistake("must be skan-export") }
    environment = try members.required("environment").text()
    let lastPlace = try members.required("last-postback")
    if lastPlace.node.value != .null { last = try Cursor(lastPlace) }
    for place in try members.required("mappings").list() { mappings.append(try Mapping(place)) }
    for place in try members.required("files").list() { files.append(try File(place)) }
  }
}

extension ExportManifest.Cursor {
  fileprivate init(_ place: JSONPlace) throws(JSONProblem) {
    let members = try place.members(
      JSONForm("the last postback", required: ["row", "received-at", "id"], optional: []))
    self.init(
      row: try members.required("row").integer(in: 1...Int64.max),
      receivedAt: try members.required("received-at").instant(),
      identifier: try members.required("id").text())
  }
}

extension ExportManifest.Mapping {
  fileprivate init(_ place: JSONPlace) throws(JSONProblem) {
    let members = try place.members(
      JSONForm("a mapping", required: ["app", "effective-from", "sha-256"], optional: []))
    let app = try members.required("app")
    guard let number = AppID(try app.integer(in: 0...Int64.max)) else {
      throw app.mistake("must be an App Store number")
    }
    self.init(
      app: number, effectiveFrom: try members.required("effective-from").instant(),
      digest: try members.required("sha-256").text())
  }
}

extension ExportManifest.File {
  fileprivate init(_ place: JSONPlace) throws(JSONProblem) {
    let members = try place.members(
      JSONForm("a file", required: ["path", "rows", "bytes", "sha-256"], optional: []))
    let path = try members.required("path")
    guard let part = PartPath(try path.text()) else {
      throw path.mistake("must be a path such as date=2026-11-20/part-0001.ndjson.gz")
    }
    self.init(
      path: part, rows: try members.required("rows").integer(in: 1...Int64.max),
      bytes: try members.required("bytes").integer(in: 1...Int64.max),
      sha256: try members.required("sha-256").text())
  }
}
