package import Arguments
package import Values

/// Where `/metrics` and `/readyz` are answered; `/healthz` is on the port of devices in any case.
package enum MetricsPlace: Equatable, Sendable {
  /// On the port of devices.
  case same
  case none
  /// On an address of their own, in plain HTTP.
  case address(HostPort)
}

extension MetricsPlace: ParameterValue {
  package static var kind: ValueKind { .hostPortOr(["same", "none"]) }
  package static var placeholder: String { "HOST:PORT" }

  package init?(parameter text: String) {
    switch text {
    case "same": self = .same
    case "none": self = .none
    default:
      guard let address = HostPort(text) else { return nil }
      self = .address(address)
    }
  }

  package var parameterText: String {
    switch self {
    case .same: "same"
    case .none: "none"
    case .address(let address): address.description
    }
  }
}
