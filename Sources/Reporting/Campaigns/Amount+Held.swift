package import Values

extension Amount {
  /// Whether it stands for a sum that does not fit: the largest amount is in its place.
  package var isHeld: Bool { micros == .max }

  /// What to know of sums that do not fit.
  package static let noteOfHeld = Sentence(
    "a sum of money is larger than the largest amount, which is shown in its place")
}
