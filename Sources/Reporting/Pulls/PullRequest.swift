import System
import Values

/// A request of a pull document.
struct PullRequest: Sendable {
  enum Body: Sendable {
    /// A text of JSON, or of another kind that the headers name.
    case json(PullTemplate)
    case form([(name: String, value: PullTemplate)])
  }

  let url: PullTemplate
  let headers: [(name: String, value: PullTemplate)]
  /// The body of a POST; `nil` for a GET.
  let body: Body?
  /// Name and password of RFC 7617.
  let basic: (user: PullTemplate, password: PullTemplate)?

  private var templates: [PullTemplate] {
    var all = [url] + headers.map(\.value)
    switch body {
    case nil: break
    case .json(let text)?: all.append(text)
    case .form(let fields)?: all += fields.map(\.value)
    }
    if let basic { all += [basic.user, basic.password] }
    return all
  }

  var values: Set<PullTemplate.Value> { templates.reduce(into: []) { $0.formUnion($1.values) } }

  var secrets: Set<PullSecret> { templates.reduce(into: []) { $0.formUnion($1.secrets) } }

  func address(_ values: [PullTemplate.Value: String], _ secrets: PullSecrets) -> String {
    url.text(values, secrets, .percent)
  }

  /// The bytes of the body; `nil` for a GET.
  func bytes(_ values: [PullTemplate.Value: String], _ secrets: PullSecrets) -> [UInt8]? {
    switch body {
    case nil: nil
    case .json(let text)?: Array(text.text(values, secrets, .json).utf8)
    case .form(let fields)?:
      Array(
        fields.map { field in
          PullTemplate.Encoding.percent.text(field.name) + "="
            + PullTemplate.Encoding.percent.text(field.value.text(values, secrets))
        }.joined(separator: "&").utf8)
    }
  }

  func lines(
    _ values: [PullTemplate.Value: String], _ secrets: inout PullSecrets
  ) -> [(name: String, value: String)] {
    var lines = headers.map { ($0.name, $0.value.text(values, secrets)) }
    let names = Set(lines.map { $0.0.lowercased() })
    switch body {
    case .json? where !names.contains("content-type"): lines.append(("Content-Type", "application/json"))
    case .form? where !names.contains("content-type"):
      lines.append(("Content-Type", "application/x-www-form-urlencoded"))
    default: break
    }
    if let basic {
      let pair = "\(basic.user.text(values, secrets)):\(basic.password.text(values, secrets))"
      let text = String(decoding: Base64.encode(Array(pair.utf8)), as: UTF8.self)
      secrets.hide(text)
      lines.append(("Authorization", "Basic \(text)"))
    }
    return lines
  }
}

/// The parts of an address that decide who gets what is sent there.
struct PullAddress {
  /// Protocol and host with the port.
  let origin: String
  /// Whether no machine in between can read what is sent.
  let isSafe: Bool

  /// - Returns: `nil` for what is no address with `http` or `https` and a host.
  init?(_ url: String) {
    let scheme = url.hasPrefix("https://") ? "https://" : url.hasPrefix("http://") ? "http://" : nil
    guard let scheme else { return nil }
    let host = url.dropFirst(scheme.count).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    guard !host.isEmpty, !host.contains("@"),
      let found = HostPort(String(host)) ?? HostPort("\(host):\(scheme == "https://" ? 443 : 80)")
    else { return nil }
    origin = "\(scheme)\(found.host.lowercased()):\(found.port)"
    isSafe = scheme == "https://" || found.isLoopback
  }

  /// An address as messages may show it: without its query, which often has a secret.
  static func shown(_ url: String) -> String { String(url.prefix { $0 != "?" && $0 != "#" }) }
}
