import System

/// From a start of a node to its end or to the cut of its power, behind which nothing comes from it.
final class Life: Sendable {
  let node: Int
  let number: Int
  private let over = Guarded(false)

  init(node: Int, number: Int) { (self.node, self.number) = (node, number) }

  var isOver: Bool { over.withLock { $0 } }

  func end() { over.withLock { $0 = true } }
}
