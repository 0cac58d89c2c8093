import System
import Testing
import Values

@Suite struct `A fair queue` {
  @Test func `A fair queue serves senders in turn, however much one of them has waiting`() {
    var queue = FairQueue<String>(elements: 10_000, bytes: 1 << 20, workOfTurn: 10)
    let senders = Array(repeating: "a", count: 5000) + ["b", "b", "b", "c"]
    for sender in senders {
      let isTaken = queue.append(sender, from: sender, bytes: 1, work: 5)
      #expect(isTaken)
    }
    let taken = queue.take(work: 50)
    #expect(taken.joined() == "aabbcaabaa")
    #expect(queue.load.elements == 4994)
    #expect(queue.load.bytes == 4994)
  }

  @Test func `A fair queue divides by work and not by number`() {
    var queue = FairQueue<String>(elements: 10_000, bytes: 1 << 20, workOfTurn: 10)
    for _ in 0..<1000 {
      let areTaken = [
        queue.append("large", from: "a", bytes: 1, work: 25),
        queue.append("small", from: "b", bytes: 1, work: 1),
      ]
      #expect(areTaken == [true, true])
    }
    let taken = queue.take(work: 1000)
    #expect((18...22).contains(taken.count { $0 == "large" }))
    #expect((450...550).contains(taken.count { $0 == "small" }))
  }

  @Test func `A fair queue keeps each sender's order, and loses and invents nothing`() {
    var queue = FairQueue<Int>(elements: 10_000, bytes: 1 << 20, workOfTurn: 7)
    var generator = SplitMix64(seed: 1)
    var (sent, taken) = ([[Int]](repeating: [], count: 5), [[Int]](repeating: [], count: 5))
    for number in 0..<20_000 {
      let sender = Int(generator.next() % 5)
      if generator.next() % 5 < 3 {
        let work = Int(generator.next() % 30)
        if queue.append(number * 5 + sender, from: "\(sender)", bytes: 1, work: work) {
          sent[sender].append(number * 5 + sender)
        }
      } else if let element = queue.takeFirst() {
        taken[element % 5].append(element)
      }
    }
    while let element = queue.takeFirst() { taken[element % 5].append(element) }
    #expect(taken == sent)
    #expect(queue.load.elements == 0)
    #expect(queue.load.bytes == 0)
    let rest = queue.take(work: 1)
    #expect(rest.isEmpty)
  }

  @Test func `A fair queue rejects a sender that has too much waiting, and no other`() {
    var queue = FairQueue<Int>(elements: 10, bytes: 100, workOfTurn: 1)
    func append(_ count: Int, from sender: String, bytes: Int) -> Int {
      (0..<count).count { queue.append($0, from: sender, bytes: bytes, work: 1) }
    }
    let counts = [append(20, from: "a", bytes: 1), append(1, from: "b", bytes: 1)]
    #expect(counts == [10, 1])
    // The bytes are divided among those who wait: a third of a hundred, and the element that goes beyond.
    let third = append(20, from: "c", bytes: 10)
    #expect(third == 4)
    _ = queue.take(work: .max)
    let all = append(20, from: "c", bytes: 10)
    #expect(all == 10)
  }
}
