import Arguments
import Gzip
import HTTPServer
import Ledger
import OpenSSL
import SQLite
import Signing
import System
import Verification

/// Something in the way of a command, as it is told to a person.
struct CommandError: Error, Hashable, Sendable {
  /// What it means to the program that started the command.
  let exitCode: ExitCode
  /// What was tried and why it failed, in one sentence without a full stop.
  let message: String
  /// What may help.
  let remedy: String?

  init(_ exitCode: ExitCode, _ message: String, remedy: String? = nil) {
    self.exitCode = exitCode
    self.message = message
    self.remedy = remedy
  }

  /// Makes one of any error that the modules below throw; the last case is a bug.
  init(_ error: any Error) {
    switch error {
    case let error as CommandError: self = error
    case let error as UsageError: self.init(.usage, error.description)
    case let error as FileError: self.init(.inputOutput, error.description, remedy: error.remedy)
    case let error as LedgerError: self.init(error.exitCode, error.description, remedy: error.remedy)
    case let error as GzipError:
      self.init(.data, error.description, remedy: "get the file again; it is damaged")
    case let error as KeyFileError: self.init(.data, error.message, remedy: error.remedy)
    case let error as KeyringError: self.init(.bug, error.message, remedy: error.remedy)
    case let error as SigningError: self.init(.data, error.description)
    case let error as ThreadError: self.init(.unavailable, error.description, remedy: error.remedy)
    case let error as ListenError: self.init(.unavailable, error.description, remedy: error.remedy)
    case let error as TLSError: self.init(error.exitCode, error.description, remedy: error.remedy)
    case let error as OpenSSLError: self.init(.bug, error.description)
    default: self.init(.bug, "internal error: \(error)", remedy: "report it with the command line")
    }
  }

  /// Returns the same obstacle with the name of what it is about in front.
  func about(_ name: String) -> CommandError { CommandError(exitCode, "\(name): \(message)", remedy: remedy) }
}

extension TLSError {
  /// What the error means to the program that started the command.
  fileprivate var exitCode: ExitCode {
    switch code {
    case .unreadable: .inputOutput
    case .system: .unavailable
    case .notACertificate, .notAKey, .keyMismatch, .notYetValid, .expired: .data
    }
  }
}

extension LedgerError {
  /// What the error means to the program that started the command.
  fileprivate var exitCode: ExitCode {
    switch self {
    case .notAFile: .usage
    case .notALedger, .newerSchema, .olderSchema: .data
    case .busy, .unavailable, .tookTooLong, .noThread: .unavailable
    case .storage, .moved, .foreignLog: .inputOutput
    }
  }
}

/// Runs `body`, and puts the name of what it is about in front of what goes wrong.
func naming<Value>(_ name: String, _ body: () throws -> Value) throws(CommandError) -> Value {
  do { return try body() } catch { throw CommandError(error).about(name) }
}
