import CFuzzer
import Foundation
import FuzzLaws
import Glibc

/// The target that `SKAN_FUZZ_TARGET` names; libFuzzer starts this program anew and its own words are the arguments.
nonisolated(unsafe) private var target: FuzzTarget?

/// Writes a line to standard error.
private func say(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }

/// Checks many inputs of a seeded mutator and returns how fast it was; false where a law was broken.
private func runMutations(_ target: FuzzTarget, _ count: Int) throws -> Bool {
  let run = try MutationRun(target)
  let clock = ContinuousClock()
  let start = clock.now
  let outcome = run.mutate(count, seed: 1)
  let seconds = Double((clock.now - start) / .milliseconds(1)) / 1000
  var usage = rusage()
  getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
  let peak = usage.ru_maxrss / 1024
  print(
    String(
      format:
        "%@: %d inputs, mean %d bytes, %.1f s, %.0f a second, slowest %.1f ms, peak %d MB, %d broken laws",
      target.name, outcome.count, outcome.bytes / max(1, outcome.count), seconds,
      Double(outcome.count) / seconds,
      outcome.slowest * 1000, peak, outcome.failures.count))
  for failure in outcome.failures {
    say("broken: \(failure.law)\ninput in base64: \(Data(failure.input).base64EncodedString())")
  }
  if peak > 512 { say("the run took more than 512 MB of memory") }
  return outcome.failures.isEmpty && peak <= 512
}

let name = ProcessInfo.processInfo.environment["SKAN_FUZZ_TARGET"] ?? ""
target = FuzzTarget.named(name)
guard let chosen = target else {
  print(FuzzTarget.all.map(\.name).joined(separator: "\n"))
  exit(name.isEmpty ? 0 : 2)
}
if let count = ProcessInfo.processInfo.environment["SKAN_MUTATIONS"].flatMap({ Int($0) }) {
  exit(try runMutations(chosen, count) ? 0 : 1)
}
var argumentCount = CommandLine.argc
var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
exit(
  LLVMFuzzerRunDriver(&argumentCount, &arguments) { data, size in
    do {
      try target?.check(Array(UnsafeBufferPointer(start: data, count: size)))
    } catch {
      say("broken law: \(error)")
      abort()
    }
    return 0
  })
