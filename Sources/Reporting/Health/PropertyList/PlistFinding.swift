import Values

/// Something in an app's `Info.plist` that keeps postbacks or their copies from coming, or may do so.
package struct PlistFinding: Equatable, Sendable {
  /// How much it matters; the raw value is the word in reports.
  package enum Severity: String, Hashable, Sendable {
    /// Postbacks or copies do not come, or a setting has no effect.
    case error
    /// It works, but probably not as meant.
    case warning
  }

  /// The rules; the raw value is a stable code.
  package enum Code: String, Hashable, Sendable, CaseIterable {
    // The file.
    case notAPropertyList = "not-a-property-list"
    case notADictionary = "not-a-dictionary"
    case duplicateKey = "duplicate-key"
    // Any key.
    case misspeltKey = "misspelt-key"
    case wrongPlace = "wrong-place"
    case wrongType = "wrong-type"
    case unknownKey = "unknown-key"
    case buildVariable = "build-variable"
    // The addresses.
    case missingEndpoint = "missing-endpoint"
    case noScheme = "no-scheme"
    case notHTTPS = "not-https"
    case notADomain = "not-a-domain"
    case endpointPath = "endpoint-path"
    case endpointPort = "endpoint-port"
    case trailingSlash = "trailing-slash"
    case subdomain
    case partnerEndpoint = "partner-endpoint"
    case otherDomain = "other-domain"
    case differentDomains = "different-domains"
    case noReengagementCopies = "no-re-engagement-copies"
    // Ids of ad networks.
    case identifierForm = "identifier-form"
    case identifierCase = "identifier-case"
    case identifierLength = "identifier-length"
    case duplicateIdentifier = "duplicate-identifier"
    case missingNetwork = "missing-network"
    case networkNotListed = "network-not-listed"
    case otherList = "other-list"
    // Rules of attribution.
    case outOfRange = "out-of-range"
    case unknownWord = "unknown-word"
    case withoutEffect = "without-effect"

    /// How much a finding of the rule matters.
    package var severity: Severity {
      switch self {
      case .unknownKey, .buildVariable, .trailingSlash, .subdomain, .differentDomains, .noReengagementCopies,
        .identifierLength, .duplicateIdentifier, .networkNotListed, .otherList:
        .warning
      default: .error
      }
    }
  }

  package let code: Code
  package let path: PlistPath
  /// The line, from 1; `nil` in the binary form, which has no lines.
  package let line: Int?
  package let found: String
  package let allowed: String
  package let cure: String

  package var severity: Severity { code.severity }
}
