import Routing

extension ScreenContext {
  /// Keeps a file until this viewer confirms it, for an hour at most.
  ///
  /// - Returns: Its name, which leads to it only within the same session.
  package func keep(
    _ bytes: [UInt8], of kind: String, named name: String, choices: [String: [String]]
  ) throws -> String {
    try uploads.keep(.init(kind: kind, name: name, bytes: bytes, choices: choices), of: viewer.formToken)
  }

  /// A file of this viewer that is yet to be confirmed: its name, bytes and choices.
  package func kept(_ id: String, of kind: String) -> (
    name: String, bytes: [UInt8], choices: [String: [String]]
  )? {
    guard let upload = uploads.upload(id, of: viewer.formToken), upload.kind == kind else { return nil }
    return (upload.name, upload.bytes, upload.choices)
  }

  package func forget(_ id: String) { uploads.forget(id, of: viewer.formToken) }
}
