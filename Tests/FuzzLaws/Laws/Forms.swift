import Pages

extension FuzzTarget {
  /// Forms that browsers send, with files and without; a form with files has the boundary `b`.
  static let multipart = FuzzTarget(
    "multipart",
    dictionary: [
      "--b", "--b--", "\r\n--b\r\n", "\r\n\r\n", "Content-Disposition: form-data; name=\"a\"",
      "; filename=\"f.csv\"", "; name=\"", "%22", "%0D", "%0A", "\"", "Content-Type: text/csv\r\n",
      "multipart/form-data; boundary=b",
    ]
  ) { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    if let boundary = MultipartBody.boundary(ofType: text) {
      try law(
        !boundary.contains("\"") && !boundary.contains(" "),
        "the boundary '\(boundary)' has a quotation mark or a space")
    }
    // A form without files is read by the same door.
    _ = FormBody(bytes)
    guard let body = MultipartBody(bytes, boundary: "b") else { return }
    try law(
      body.fields.count + body.files.count <= 64, "found \(body.fields.count + body.files.count) parts")
    let content =
      body.fields.reduce(0) { $0 + $1.value.utf8.count } + body.files.reduce(0) { $0 + $1.bytes.count }
    try law(content <= bytes.count, "found \(content) bytes in \(bytes.count)")
    // The head of a part is bounded, and escapes are longer than what they stand for.
    let names = body.fields.map(\.name) + body.files.flatMap { [$0.field, $0.name] }
    guard names.allSatisfy({ $0.utf8.count < 600 }) else { return }
    // What is read is what a browser would send for it: fields and files survive a way there and back.
    guard let again = MultipartBody(written(body), boundary: "b") else {
      throw LawBroken("a form that was read and written cannot be read")
    }
    try law(
      again.fields.map(\.name) == body.fields.map(\.name)
        && again.fields.map(\.value) == body.fields.map(\.value), "fields differ after a way there and back")
    try law(
      again.files.map(\.field) == body.files.map(\.field)
        && again.files.map(\.name) == body.files.map(\.name)
        && again.files.map(\.bytes) == body.files.map(\.bytes), "files differ after a way there and back")
  }

  /// The bytes that a browser sends.
  private static func written(_ body: MultipartBody) -> [UInt8] {
    func escaped(_ name: String) -> String {
      String(
        decoding: name.utf8.flatMap { byte -> [UInt8] in
          switch byte {
          case 0x22: Array("%22".utf8)
          case 0x0D: Array("%0D".utf8)
          case 0x0A: Array("%0A".utf8)
          default: [byte]
          }
        }, as: UTF8.self)
    }
    var bytes: [UInt8] = []
    for (name, value) in body.fields {
      bytes += Array(
        "--b\r\nContent-Disposition: form-data; name=\"\(escaped(name))\"\r\n\r\n\(value)\r\n".utf8)
    }
    for file in body.files {
      let head =
        "--b\r\nContent-Disposition: form-data; name=\"\(escaped(file.field))\"; "
        + "filename=\"\(escaped(file.name))\"\r\n\r\n"
      bytes += Array(head.utf8) + file.bytes + [0x0D, 0x0A]
    }
    return bytes + Array("--b--\r\n".utf8)
  }
}
