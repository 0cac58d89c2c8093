package import Alerts
import Arguments
import JSONText
import System
package import Values

extension AlertRulesFile {
  package static func read(_ path: String) throws(CommandError) -> AlertRules {
    let bytes: [UInt8]
    do { bytes = try FileReader.contents(of: path, limit: 1 << 20, mayWait: false) } catch {
      throw CommandError(error)
    }
    do { return try read(bytes, named: path) } catch { throw CommandError(error) }
  }
}

extension ServiceConfiguration {
  /// The rules of alerts that its file states; the defaults where it names none.
  package func alertRules() throws(CommandError) -> AlertRules {
    guard let alerts else { return AlertRules() }
    return try AlertRulesFile.read(alerts.text)
  }
}
