import Configuration
import HTTPServer
import Service
import System
import Values

extension TLSFiles {
  /// Reads both again for a running service; where one is wrong, what was read before stays in force.
  ///
  /// - Returns: What was read; `nil` where one is wrong.
  func reload(into service: PostbackService, _ context: DaemonContext) -> TLSIdentity? {
    do {
      let identity = try identity(at: context.clock())
      service.use(identity)
      context.log.write(.info, "tls-files-read", [("valid-until", .string("\(identity.validUntil)"))])
      return identity
    } catch {
      let problem = CommandError(error)
      context.log.write(
        .error, "tls-files-wrong",
        [("problem", .string(problem.message)), ("remedy", .string(problem.remedy ?? ""))])
      return nil
    }
  }
}
