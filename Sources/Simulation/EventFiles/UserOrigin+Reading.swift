import Postbacks
package import Simulation
import Values

extension UserOrigin {
  /// Reads the cells of a row; `nil` where a cell is empty.
  ///
  /// Few figures need the country, so one that is neither a code nor an English name is kept as it is.
  ///
  /// - Throws: ``EventFileError`` for an app that is no number.
  package init(app: String?, country: String?, line: Int) throws(EventFileError) {
    var source: AppID?
    if let app {
      source = app.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int64(app).flatMap { AppID($0) } : nil
      guard source != nil else { throw .invalidApp(app, line: line) }
    }
    let code = country.flatMap { CountryNames.code(of: $0) }
    self.init(sourceApp: source, country: code, unreadCountry: code == nil ? country : nil)
  }

  /// Whether a text has the form of an ISO 3166-1 alpha-2 code.
  static func isCode(_ text: String) -> Bool {
    text.utf8.count == 2 && text.utf8.allSatisfy { (0x41...0x5A).contains($0) }
  }
}
