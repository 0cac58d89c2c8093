package import System

/// Threads on which readers' questions are answered, so that none of them holds up a thread that answers devices.
///
/// As many questions are answered at once as there are threads, some more wait, and any further one is turned away.
package final class ReaderPool: Sendable {
  /// Answers a question, or reports that the service is stopping.
  package typealias Job = @Sendable (_ isStopping: Bool) -> Void

  private let questions: WorkQueue<Job>

  /// Starts the threads; in the background, so that devices do not wait for reports.
  package init(
    threads count: Int, _ priority: Worker.Priority = .background, mostWaiting: Int = 32
  ) throws(ThreadError) {
    questions = try WorkQueue(threads: count, priority, capacity: mostWaiting) { job in job(false) }
  }

  /// Hands in a question, or returns false where too many wait.
  package func answer(_ job: @escaping Job) -> Bool { questions.add(job) }

  /// Turns away what waits, and ends the threads.
  package func close() {
    for job in questions.cancel() { job(true) }
  }

  /// Waits a while for the threads after ``close()``; one whose question takes longer ends by itself.
  package func join(withinSeconds seconds: Double) { questions.join(withinSeconds: seconds) }

  deinit { close() }
}
