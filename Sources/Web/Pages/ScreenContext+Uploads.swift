package import Routing

extension ScreenContext {
  /// Keeps a file until this viewer confirms it, for an hour at most.
  ///
  /// - Returns: Its name, which leads to it only within the same session.
  package func keep(_ upload: UploadStore.Upload) throws -> String {
    try uploads.keep(upload, of: viewer.formToken)
  }

  /// A file of this viewer that is yet to be confirmed.
  package func kept(_ id: String, of kind: String) -> UploadStore.Upload? {
    uploads.upload(id, of: viewer.formToken).flatMap { $0.kind == kind ? $0 : nil }
  }

  package func forget(_ id: String) { uploads.forget(id, of: viewer.formToken) }
}
