/// A currency that ISO 4217 lists, by its three capital letters.
public struct CurrencyCode: Hashable, Comparable, Sendable {
  /// The three capital letters.
  public let text: String

  /// Wraps a code; `nil` unless it is listed, in capital letters.
  public init?(_ text: String) {
    guard text.utf8.count == 3, Self.names[text] != nil else { return nil }
    self.text = text
  }

  /// Wraps a code in whatever case; `nil` unless it is listed.
  public init?(anyCase text: String) {
    guard text.utf8.count == 3 else { return nil }
    self.init(text.uppercased())
  }

  /// What the currency is called: `US dollar`.
  public var name: String { Self.names[text] ?? text }

  /// Every listed code, in the order of the alphabet.
  public static var all: [CurrencyCode] { names.keys.sorted().compactMap { CurrencyCode($0) } }

  public static func < (a: Self, b: Self) -> Bool { a.text < b.text }
}

extension CurrencyCode: CustomStringConvertible {
  public var description: String { text }
}
