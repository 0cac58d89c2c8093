import Glibc
import System
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A work queue` {
  /// A job of a queue with one thread that runs until it is released.
  private struct Hold {
    private let state = Guarded((isBusy: false, isOpen: false))

    func block() {
      state.withLock { $0.isBusy = true }
      state.wakeAll()
      state.wait { $0.isOpen ? () : nil }
    }

    func waitUntilBusy() { state.wait { $0.isBusy ? () : nil } }

    func letGo() {
      state.withLock { $0.isOpen = true }
      state.wakeAll()
    }
  }

  @Test func `A work queue finishes all accepted jobs before its threads end`() throws {
    let done = Guarded<Set<Int>>([])
    let queue = try WorkQueue<Int>(threads: 3) { job in done.withLock { _ = $0.insert(job) } }
    for job in 0..<100 { #expect(queue.add(job)) }
    queue.close()
    queue.join()
    #expect(done.withLock { $0 } == Set(0..<100))
    #expect(!queue.add(100))
  }

  @Test func `A work queue with one thread does jobs in the order in which they came, whenever they came`()
    throws
  {
    let hold = Hold()
    let done = Guarded<[Int]>([])
    let queue = try WorkQueue<Int>(threads: 1, capacity: 4) { job in
      if job == 3 { hold.block() }
      done.withLock { $0.append(job) }
      done.wakeAll()
    }
    for job in 0...2 { #expect(queue.add(job)) }
    done.wait { $0.count == 3 ? () : nil }
    #expect(queue.add(3))
    hold.waitUntilBusy()
    for job in 4...7 { #expect(queue.add(job)) }
    #expect(!queue.add(8))
    hold.letGo()
    queue.close()
    queue.join()
    #expect(done.withLock { $0 } == Array(0...7))
  }

  @Test func `A work queue gives back in order what waits before and after a job was taken`() throws {
    let hold = Hold()
    let queue = try WorkQueue<Int>(threads: 1) { job in if job == 2 { hold.block() } }
    for job in 0...4 { #expect(queue.add(job)) }
    hold.waitUntilBusy()
    for job in 5...6 { #expect(queue.add(job)) }
    #expect(queue.cancel() == [3, 4, 5, 6])
    hold.letGo()
    queue.join()
  }

  @Test func `A work queue rejects jobs beyond its limit, and returns those that wait when it is cancelled`()
    throws
  {
    let hold = Hold()
    let done = Guarded<[Int]>([])
    let queue = try WorkQueue<Int>(threads: 1, capacity: 2) { job in
      hold.block()
      done.withLock { $0.append(job) }
    }
    #expect(queue.add(0))
    hold.waitUntilBusy()
    let areTaken = (1...3).map { queue.add($0) }
    #expect(areTaken == [true, true, false])
    #expect(queue.cancel() == [1, 2])
    hold.letGo()
    queue.join()
    #expect(done.withLock { $0 } == [0])
  }

  @Test func `An ordered work queue returns the products in the order of the jobs`() throws {
    let products = Guarded<[Int]>([])
    let queue = try OrderedWorkQueue<Int, Int>(threads: 4) { job in
      // Every fourth job takes longer than those after it.
      if job.isMultiple(of: 4) { rest(microseconds: 2000) }
      return job * job
    } deliver: { product, _ in
      products.withLock { $0.append(product) }
    }
    for job in 0..<200 { #expect(queue.add(job)) }
    queue.finish()
    #expect(products.withLock { $0 } == (0..<200).map { $0 * $0 })
    #expect(!queue.add(200))
  }

  @Test func `An ordered work queue does no more jobs once its products are not collected`() throws {
    let products = Guarded<[Int]>([])
    let queue = try OrderedWorkQueue<Int, Int>(threads: 2) {
      $0
    } collect: { next in
      if let (product, _) = next() { products.withLock { $0.append(product) } }
    }
    var added = 0
    while queue.add(added) { added += 1 }
    queue.finish()
    #expect(products.withLock { $0 } == [0])
    // One product is collected, and eight jobs more have room.
    #expect((1...9).contains(added))
  }

  @Test(arguments: [Worker.Priority.normal, .background])
  func `Work in the background lets other threads go first, and only its own threads do`(
    priority: Worker.Priority
  ) throws {
    @Sendable func niceness() -> Int32 { getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0) }
    let before = niceness()
    let found = Guarded<[Int32]>([])
    let queue = try WorkQueue<Int>(threads: 1, priority) { _ in found.withLock { $0.append(niceness()) } }
    #expect(queue.add(1))
    queue.close()
    queue.join()
    // 19 is the most there is.
    #expect(found.withLock { $0 } == [priority == .normal ? before : min(19, before + 10)])
    #expect(niceness() == before)
  }
}
