import Foundation
import FuzzLaws
import System
import Testing

/// How many mutated inputs each reader gets; `SKAN_MUTATIONS` overrides it.
private let mutations = ProcessInfo.processInfo.environment["SKAN_MUTATIONS"].flatMap { Int($0) } ?? 2_000

/// Reports what broke a law, with the input.
private func expectNone(_ failures: [(law: String, input: [UInt8])], _ target: FuzzTarget) {
  for failure in failures {
    Issue.record("\(target): \(failure.law)\ninput in base64: \(Data(failure.input).base64EncodedString())")
  }
}

struct `A reader of untrusted bytes` {
  @Test(arguments: FuzzTarget.all) func `A reader of untrusted bytes keeps its laws on the corpus`(
    target: FuzzTarget
  ) throws {
    let outcome = try MutationRun(target).replay()
    #expect(outcome.count > 0)
    expectNone(outcome.failures, target)
  }

  @Test(arguments: FuzzTarget.all) func `A reader of untrusted bytes keeps its laws on mutated inputs`(
    target: FuzzTarget
  ) throws {
    let outcome = try MutationRun(target).mutate(mutations, seed: 1)
    expectNone(outcome.failures, target)
    #expect(outcome.count == mutations || !outcome.failures.isEmpty)
  }

  @Test func `A reader of untrusted bytes is caught when it breaks a law or takes too long`() throws {
    let strict = FuzzTarget("json", dictionary: []) { bytes in
      if bytes.count.isMultiple(of: 2) { throw LawBroken("even") }
    }
    #expect(try MutationRun(strict).mutate(100, seed: 1).failures.count == 5)
    let slow = FuzzTarget("json", dictionary: []) { _ in
      let start = processMicroseconds()
      while processMicroseconds() - start < 4e6 {}
    }
    #expect(try MutationRun(slow).mutate(1, seed: 1).failures.first?.law.hasPrefix("took") == true)
  }
}

struct `A mutator` {
  @Test func `A mutator makes the same different inputs of bounded size from the same seed`() {
    var (a, b) = (mutator(1), mutator(1))
    var other = mutator(2)
    let inputs = (0..<1_000).map { _ in a.next() }
    #expect(inputs == (0..<1_000).map { _ in b.next() })
    #expect(inputs != (0..<1_000).map { _ in other.next() })
    #expect(Set(inputs).count > 500)
    #expect(inputs.allSatisfy { $0.count <= Mutator.longest })
  }

  private func mutator(_ seed: UInt64) -> Mutator {
    Mutator(
      seed: seed, seeds: [Array("{\"a\":1}".utf8), [], [UInt8](repeating: 1, count: Mutator.longest)],
      dictionary: ["word"])
  }
}
