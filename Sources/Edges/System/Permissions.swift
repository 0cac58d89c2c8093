import Glibc

/// The permissions of a file for its owner, its group and everybody else: the last nine bits of its mode.
public struct Permissions: Equatable, Sendable, CustomStringConvertible {
  public let bits: UInt32

  /// Finds those of a file; `nil` where there is none.
  public init?(of path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    bits = status.st_mode & 0o777
  }

  /// Whether others than the owner may read or write the file.
  public var areShared: Bool { bits & 0o066 != 0 }

  /// Three octal digits, as chmod(1) takes them.
  public var description: String {
    let digits = String(bits, radix: 8)
    return String(repeating: "0", count: max(0, 3 - digits.count)) + digits
  }
}
