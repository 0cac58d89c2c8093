/// A body that is no postback and that skan answers without storing it, so that `skan doctor` can try an address as a
/// device would.
package enum ReceptionProbe {
  package static let body = Array(#"{"probe":"skan doctor"}"#.utf8)
  /// What skan answers: 400 with a problem document.
  package static let status = 400
}
