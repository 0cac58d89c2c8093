package import JSONText
package import Values

/// What an export consists of, and where the next run goes on: the content of `manifest.json`.
package struct ExportManifest: Hashable, Sendable {
  /// The file's name.
  package static let fileName = "manifest.json"
  /// The layout of folder and manifest that this program writes.
  package static let layout: Int64 = 1

  /// A file of the export.
  package struct File: Hashable, Sendable {
    /// Its path in the folder, such as `date=2026-11-20/part-0001.ndjson.gz`.
    package let path: PartPath
    package let rows: Int64
    /// Bytes of the file as it is on the disk.
    package let bytes: Int64
    /// 64 hexadecimal digits.
    package let sha256: String
  }

  /// The last postback that was exported.
  package struct Cursor: Hashable, Sendable {
    /// Its row in the database.
    package let row: Int64
    package let receivedAt: Instant
    package let identifier: String
  }

  package var environment: String
  /// `nil` where nothing was exported yet.
  package var last: Cursor?
  package var files: [File] = []

  /// Rows of all files.
  package var rows: Int64 { files.reduce(0) { $0 + $1.rows } }
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
    let schema = [
      "format", "layout", "program", "database-layout", "environment", "last-postback", "rows", "files",
    ]
    let root = try file.read()
    let path = JSONPath.root
    func member(_ name: String, of object: JSONObject, _ node: JSONNode, _ path: JSONPath) throws -> JSONNode
    {
      guard let found = object[name] else { throw file.mistake(node, path, "has no member '\(name)'") }
      return found
    }
    let most = Int64.max
    guard case .object(let head) = root.value else { throw file.wrongType(root, path, "an object") }
    let layoutNode = try member("layout", of: head, root, path)
    let layout = try file.integer(layoutNode, path.member("layout"), in: 1...most)
    guard layout <= Self.layout else {
      throw ExportError.newerLayout(folder: folder, found: layout, known: Self.layout)
    }
    let object = try file.object(root, path, allowing: schema)
    let format = try member("format", of: object, root, path)
    guard try file.text(format, path.member("format")) == "skan-export" else {
      throw file.mistake(format, path.member("format"), "must be skan-export")
    }
    environment = try file.text(try member("environment", of: object, root, path), path.member("environment"))
    let lastNode = try member("last-postback", of: object, root, path)
    if case .null = lastNode.value {
    } else {
      let path = path.member("last-postback")
      let object = try file.object(lastNode, path, allowing: ["row", "received-at", "id"])
      let time = try member("received-at", of: object, lastNode, path)
      guard let moment = Instant(try file.text(time, path.member("received-at"))) else {
        throw file.mistake(time, path.member("received-at"), "must be a moment such as 2026-11-20T12:00:00Z")
      }
      last = Cursor(
        row: try file.integer(
          try member("row", of: object, lastNode, path), path.member("row"), in: 1...most),
        receivedAt: moment,
        identifier: try file.text(try member("id", of: object, lastNode, path), path.member("id")))
    }
    let list = path.member("files")
    let nodes = try file.array(try member("files", of: object, root, path), list)
    for (index, node) in nodes.enumerated() {
      let path = list.element(index)
      let object = try file.object(node, path, allowing: ["path", "rows", "bytes", "sha-256"])
      let name = try member("path", of: object, node, path)
      guard let part = PartPath(try file.text(name, path.member("path"))) else {
        throw file.mistake(
          name, path.member("path"), "must be a path such as date=2026-11-20/part-0001.ndjson.gz")
      }
      func number(_ name: String) throws -> Int64 {
        try file.integer(try member(name, of: object, node, path), path.member(name), in: 1...most)
      }
      files.append(
        File(
          path: part, rows: try number("rows"), bytes: try number("bytes"),
          sha256: try file.text(try member("sha-256", of: object, node, path), path.member("sha-256"))))
    }
  }
}
