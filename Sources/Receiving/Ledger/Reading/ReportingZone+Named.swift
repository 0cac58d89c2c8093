import System
package import Values

extension ReportingZone {
  /// Where Debian's package tzdata keeps the compiled database.
  private static let folder = "/usr/share/zoneinfo/"
  /// Bytes that no file of the database has.
  private static let largest = 1 << 20

  /// A zone by its name in the IANA database, or by its offset; `nil` where there is none.
  package init?(named text: String) {
    if let zone = Self(offset: text) {
      self = zone
      return
    }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    let isName = parts.allSatisfy { part in
      !part.isEmpty
        && part.utf8.allSatisfy { byte in
          (0x41...0x5A).contains(byte & 0xDF) || (0x30...0x39).contains(byte) || "+-_".utf8.contains(byte)
        }
    }
    guard isName, let file = try? FileReader.contents(of: Self.folder + text, limit: Self.largest) else {
      return nil
    }
    self.init(name: text, file: file)
  }
}
