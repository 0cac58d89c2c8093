import Routing
import Testing
import Values

struct `Costly answers that are kept` {
  private final class Large: Sendable {}

  @Test func `An answer that is shown no longer is forgotten when the next one is kept`() {
    let cache = AnswerCache()
    let start = Instant(milliseconds: 0)
    weak var first: Large?
    do {
      let made = cache.value("first", now: start, keptSeconds: 60) { Large() }
      first = made
      #expect(cache.value("first", now: start + 59_000, keptSeconds: 60) { Large() } === made)
    }
    #expect(first != nil)
    _ = cache.value("second", now: start + 60_000, keptSeconds: 60) { Large() }
    #expect(first == nil)
  }

  @Test func `An answer of before the clock was put back is made anew`() {
    let cache = AnswerCache()
    let start = Instant(milliseconds: 0)
    #expect(cache.value("question", now: start + 3_600_000, keptSeconds: 60) { 1 } == 1)
    #expect(cache.value("question", now: start, keptSeconds: 60) { 2 } == 2)
  }
}
