package import Values

/// Why a pull has no rows; nothing that was stored before has changed.
package struct PullError: UserFacingError, Equatable, CustomStringConvertible {
  /// The kinds of failure; the raw value is a stable code.
  package enum Code: String, Hashable, Sendable, CaseIterable {
    /// The source could not be reached, or failed, again and again.
    case unavailable
    /// The source wants more time than the pull may take.
    case limited
    /// The source does not accept the secrets.
    case denied
    /// The source rejects the request.
    case rejected
    /// The source sends to another address.
    case redirected
    /// The answer is not of the form that the document describes.
    case unexpected
    /// There are more pages or bytes than the document allows.
    case tooMuch = "too-much"
    /// The answer has no rows.
    case empty
    /// The rows are not what the profile describes.
    case badRows = "bad-rows"
    /// The program was asked to end.
    case stopped
  }

  package let code: Code
  /// The pull, the page and the address without its query; what was found.
  package let message: String
  package let remedy: String?

  package init(_ code: Code, _ message: String, remedy: String? = nil) {
    self.code = code
    self.message = message
    self.remedy = remedy
  }

  package var description: String { message }

  static func stopped(_ pull: String) -> Self {
    Self(.stopped, "the pull '\(pull)' was interrupted; nothing of it is stored")
  }

  /// What it means to the program that started this one.
  package var exitCode: ExitCode {
    switch code {
    case .unavailable, .limited, .denied, .redirected: .unavailable
    case .rejected, .unexpected, .tooMuch, .empty, .badRows: .data
    case .stopped: .interrupted
    }
  }
}
