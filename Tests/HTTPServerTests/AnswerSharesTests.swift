import System
import Testing

@testable import HTTPServer

private final class Line: Sendable {}

private let capacity = 1200

extension AnswerShares.Decision {
  fileprivate var ended: [Connection]? { if case .taken(let ending) = self { ending } else { nil } }
  fileprivate var rejection: RequestRejection? { if case .rejected(let why) = self { why } else { nil } }
}

@Suite struct `The shares of answers` {
  private func reader(_ number: Int) -> RequestSender { .holder("reader \(number)") }

  @Test func `The shares of answers bound a reader, and a single answer passes`() {
    var shares = AnswerShares<Line>(capacity: capacity, each: 600)
    let (large, small) = (Line(), Line())
    let taken = shares.take(5000, for: reader(1), on: large)
    #expect(taken.ended?.isEmpty == true)
    #expect(shares.isFull(for: reader(1)))
    let second = shares.take(1, for: reader(1), on: small)
    #expect(second.rejection == .clientHasUnreadAnswers)
    #expect(!shares.isFull(for: reader(2)))
    shares.give(large)
    #expect(shares.held.count == 0)
    let sizes = [300, 300, 1].map { shares.take($0, for: reader(1), on: Line()).rejection }
    #expect(sizes == [nil, nil, .clientHasUnreadAnswers])
    #expect(shares.held.count == 600)
  }

  @Test func `The shares of answers end the oldest answer of who has the most where room is short`() {
    var shares = AnswerShares<Line>(capacity: capacity, each: 600)
    let lines = (0..<6).map { _ in Line() }
    for line in lines[0..<3] { #expect(shares.take(200, for: reader(1), on: line).ended?.isEmpty == true) }
    for line in lines[3..<6] { #expect(shares.take(190, for: reader(2), on: line).ended?.isEmpty == true) }
    let page = Line()
    let ended = shares.take(100, for: reader(3), on: page).ended
    #expect(ended?.map(ObjectIdentifier.init) == [ObjectIdentifier(lines[0])])
    // What has lost its room gives nothing back, so the room is not counted twice.
    let held = shares.held.count
    shares.give(lines[0])
    #expect(shares.held.count == held)
    // Reader 2 has the most now.
    let next = shares.take(200, for: reader(4), on: Line()).ended
    #expect(next?.map(ObjectIdentifier.init) == [ObjectIdentifier(lines[3])])
  }

  @Test func `The shares of answers take nothing from readers who have less`() {
    var shares = AnswerShares<Line>(capacity: capacity, each: 600)
    for number in 1...12 { #expect(shares.take(100, for: reader(number), on: Line()).ended?.isEmpty == true) }
    #expect(shares.take(100, for: reader(1), on: Line()).rejection == .tooManyUnreadAnswers)
    #expect(shares.held.count == capacity)
    // Who has none yet finds room, also for an answer that is larger than any of the others.
    let ended = shares.take(350, for: reader(13), on: Line()).ended
    #expect(ended?.count == 4)
    // What was done is answered in any case.
    #expect(shares.take(5000, for: reader(13), on: Line(), isOwed: true).rejection == nil)
  }

  @Test func `The shares of answers keep a reader's page however many others do not read`() {
    var shares = AnswerShares<Line>(capacity: capacity, each: 600)
    var refused = 0
    for round in 0..<1000 {
      let (number, bytes) = (round % 100, 50 + round * 37 % 400)
      _ = shares.take(bytes, for: reader(number), on: Line())
      let page = Line()
      if shares.take(90, for: .holder("editor"), on: page).rejection != nil { refused += 1 }
      #expect(shares.held.count <= capacity)
      shares.give(page)
    }
    #expect(refused == 0)
  }

  @Test func `The shares of answers of strangers are apart from those of holders`() throws {
    let all = AnswersOfAll(capacity: 1600)
    let stranger = RequestSender.stranger(try #require(IPAddress("192.0.2.1")))
    #expect(all.shares(of: stranger) !== all.shares(of: reader(1)))
    #expect(all.shares(of: stranger).withLock { [$0.capacity, $0.each] } == [400, 100])
    #expect(all.shares(of: reader(1)).withLock { [$0.capacity, $0.each] } == [1200, 800])
  }
}
