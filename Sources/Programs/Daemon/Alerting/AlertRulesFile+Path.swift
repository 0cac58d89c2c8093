package import Alerts
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
