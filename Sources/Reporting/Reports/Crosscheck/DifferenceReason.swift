package import Values

/// Why the copies of devices and of a network differ; the raw value is the stable code.
package enum DifferenceReason: String, Hashable, Sendable, CaseIterable {
  /// Only the network has it, because it did not win, and devices copy winning postbacks only.
  ///
  /// Source: Apple, "Receiving ad attributions and postbacks", on copies for developers.
  case notWon = "not-won"
  /// Only the network has it, and its version is below 2.2: such devices and ads mostly send no copies.
  ///
  /// Source: Apple, "Receiving ad attributions and postbacks": copies begin with iOS 15, version 2.2 with iOS 14.5.
  case oldVersion = "old-version"
  case rejectedForward = "rejected-network-copy"
  case rejectedCopy = "rejected-device-copy"
  /// The other side's copy may still arrive.
  case late
  /// Devices sent no copy at all for this app.
  case noDeviceCopies = "no-device-copies"
  /// It came before the first copy of a device for this app.
  case copiesNotBegun = "device-copies-not-begun"
  /// It came after the last copy of a device for this app.
  case copiesStopped = "device-copies-stopped"
  case noForwards = "no-network-copies"
  /// The network forwards postbacks, but not this one.
  case networkWithholds = "network-withholds"
  /// Both sides have it, with different values.
  case valuesChanged = "values-changed"
  /// Both sides have it, with different countries.
  case countryChanged = "country-changed"
  /// Both sides have it, and differ in another field.
  case fieldsChanged = "fields-changed"
  case unexplained
}

/// A reason for differences of one network and app, with what the database knows of it.
package struct DifferenceFinding: Equatable, Sendable {
  package let network: String
  package let app: Int64
  package let reason: DifferenceReason
  /// How many conversions it explains; of `unexplained`, how many are left.
  package let count: Int64
  /// The reason in a sentence, without a full stop.
  package let sentence: Sentence
}
