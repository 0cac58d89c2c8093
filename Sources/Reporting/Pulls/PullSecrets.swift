import JSONText
import System
package import Values

/// Where a secret of a pull document is.
package enum PullSecret: Hashable, Sendable {
  case environment(String)
  case file(String)

  /// Reads what is between `${` and `}`.
  init?(_ text: String) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[1].isEmpty else { return nil }
    switch parts[0] {
    case "env": self = .environment(String(parts[1]))
    case "file": self = .file(String(parts[1]))
    default: return nil
    }
  }

  var words: String {
    switch self {
    case .environment(let name): "the environment variable \(printable(name))"
    case .file(let path): "the file '\(printable(path))'"
    }
  }
}

/// The values of a pull's secrets, which nothing that people read may show.
package struct PullSecrets: Sendable {
  private let values: [PullSecret: String]
  private(set) var texts = SecretTexts()

  /// Reads the secrets.
  ///
  /// - Parameters:
  ///   - document: The path of the pull document, beside which files with a relative path are.
  ///   - environment: The variables of the process.
  /// - Throws: An error that names the variable or file that is missing or empty.
  package init(
    of pull: Pull, beside document: String, environment: [String: String]
  ) throws(CommandError) {
    var values: [PullSecret: String] = [:]
    for secret in pull.secrets {
      let value: String?
      switch secret {
      case .environment(let name): value = environment[name]
      case .file(let path):
        let folder: Substring =
          path.hasPrefix("/") ? "" : document.lastIndex(of: "/").map { document[...$0] } ?? ""
        let place = String(folder) + path
        let bytes: [UInt8]
        do { bytes = try FileReader.contents(of: place, limit: 1 << 16, mayWait: false) } catch {
          throw CommandError(error).about("the pull '\(pull.name)' needs a secret")
        }
        value = String(validating: bytes, as: UTF8.self).map { text in
          String(text.prefix { $0 != "\n" && $0 != "\r\n" && $0 != "\r" })
        }
      }
      guard let value, !value.isEmpty else {
        throw CommandError(
          .usage, "the pull '\(pull.name)' needs a secret: \(secret.words) is not set, or empty",
          remedy: "set it; for a service, EnvironmentFile= of systemd does that")
      }
      values[secret] = value
    }
    self.values = values
    for value in values.values { hide(value) }
  }

  func value(of secret: PullSecret) -> String { values[secret] ?? "" }

  /// A text as people may see it: what it was made of can have a secret in any form.
  func safe(_ text: String) -> String {
    let text = texts.redacted(text)
    return texts.areRepeated(in: text.utf8)
      ? "what the source answered repeats a secret, so that it is not shown" : text
  }

  func safe(_ error: PullError) -> PullError {
    PullError(error.code, safe(error.message), remedy: error.remedy.map(safe))
  }

  /// Keeps a text out of what people read, as a token that a source gave.
  mutating func hide(_ text: String) { texts.add(text) }
}
