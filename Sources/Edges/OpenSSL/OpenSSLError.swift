public import Values
import COpenSSL

/// A failure reported by OpenSSL.
public struct OpenSSLError: Error, Equatable, Sendable, CustomStringConvertible {
  public let function: String
  public let reason: String

  public var description: String { "OpenSSL's \(function) failed: \(reason)" }

  /// Takes the oldest error off this thread's queue and empties the rest.
  static func last(_ function: String) -> OpenSSLError {
    let code = ERR_get_error()
    ERR_clear_error()
    guard code != 0 else { return OpenSSLError(function: function, reason: "it gave no reason") }
    var text = [CChar](repeating: 0, count: 256)
    unsafe text.withUnsafeMutableBufferPointer { unsafe ERR_error_string_n(code, $0.baseAddress, $0.count) }
    let reason = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    return OpenSSLError(function: function, reason: reason)
  }
}

extension OpenSSLError: UserFacingError {
  /// What it means to the program that started this one.
  public var exitCode: ExitCode { .bug }
}

/// The version of the OpenSSL library that is linked, such as `OpenSSL 3.0.15 3 Sep 2024`.
public var openSSLVersion: String { unsafe String(cString: OpenSSL_version(OPENSSL_VERSION)) }
