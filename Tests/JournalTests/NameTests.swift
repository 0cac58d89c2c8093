import Journal
import Testing

@Suite struct `A name in a journal` {
  @Test func `A node's name has small letters, digits and three marks`() {
    for text in ["a", "0", "eu-1.node_b", String(repeating: "x", count: 63)] {
      #expect(NodeName(text)?.text == text)
    }
    for text in ["", "A", "-a", "a b", "ä", "a/b", "a\0", String(repeating: "x", count: 64)] {
      #expect(NodeName(text) == nil)
    }
  }

  @Test func `An identity is read as it is written, and no two are equal`() throws {
    let identity = try JournalIdentity.random()
    #expect(JournalIdentity(identity.description) == identity)
    #expect(try JournalIdentity.random() != identity)
    let known = "01234567-89ab-4def-8123-456789abcdef"
    #expect(JournalIdentity(known)?.description == known)
    #expect(JournalIdentity(known)?.bytes.first == 1)
    for text in ["", known + "0", known.replacing("-", with: ""), known.replacing("a", with: "+")] {
      #expect(JournalIdentity(text) == nil)
    }
  }

  @Test func `A chain depends on every part of a batch`() throws {
    let identity = try #require(JournalIdentity("01234567-89ab-4def-8123-456789abcdef"))
    let (a, b) = (try #require(NodeName("a")), try #require(NodeName("b")))
    let start = ChainDigest(start: identity)
    let ends = [
      start.next(node: a, number: BatchNumber(1), batch: [1]),
      start.next(node: b, number: BatchNumber(1), batch: [1]),
      start.next(node: a, number: BatchNumber(2), batch: [1]),
      start.next(node: a, number: BatchNumber(1), batch: [2]),
      start.next(node: a, number: BatchNumber(1), batch: [1]).next(
        node: a, number: BatchNumber(1), batch: [1]),
    ]
    #expect(Set(ends).count == ends.count)
    #expect(ends.allSatisfy { ChainDigest(bytes: $0.bytes) == $0 })
    #expect(ChainDigest(bytes: []) == nil)
  }
}
