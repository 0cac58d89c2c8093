/// An error that a person reads, with what it means to the program that started this one.
///
/// Each error of outside causes conforms where it is declared; code that shows errors knows only this protocol.
public protocol UserFacingError: Error, Sendable {
  var exitCode: ExitCode { get }
  /// What was tried and why it failed, in one sentence without a full stop.
  var message: String { get }
  var remedy: String? { get }
}

extension UserFacingError where Self: CustomStringConvertible {
  /// What was tried and why it failed.
  public var message: String { description }
}

extension UserFacingError {
  public var remedy: String? { nil }
}
