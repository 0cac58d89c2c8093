import System

/// A part of the daemon that looks at something again and again on a thread of its own.
protocol Watch: Sendable {
  func start() throws(ThreadError)

  /// Ends the thread after what it is at.
  func stop()
}
