import Daemon
import Values
import JSONText

/// The files that only commands read, for tests that feed them random bytes.
package enum UntrustedFile {
  /// Reads a configuration file and returns the mistake in it, or `nil` where it has none.
  package static func mistake(inConfiguration bytes: [UInt8]) -> String? {
    do throws(JSONFileError) { _ = try Configuration.read(bytes, named: "file") } catch {
      return error.message
    }
    return nil
  }

  /// Reads a scenario and returns the mistake in it, or `nil` where it has none; mappings are not followed.
  package static func mistake(inScenario bytes: [UInt8]) -> String? {
    do throws(JSONFileError) { _ = try SimulationScenario.read(bytes, named: "file") } catch {
      return error.message
    }
    return nil
  }
}
