internal import CCurl

/// Posts bodies as ``HTTPPoster`` does, but many at a time from one thread.
///
/// Connections stay open from one post to the next, also to those of other posts. Source: libcurl, "libcurl-multi".
@safe package struct ParallelPoster: ~Copyable {
  private struct Post {
    let number: Int
    let transfer: PostTransfer
  }

  private let many: UnsafeMutableRawPointer
  private let connectSeconds: Int
  private let seconds: Int
  /// Those that post nothing now.
  private var idle: [PostTransfer] = []
  /// Those that do, by the address of their handle.
  private var posts: [Int: Post] = [:]

  /// Sets a client up.
  ///
  /// - Parameters:
  ///   - connections: How many connections it has at a time, those that wait for another post included.
  ///   - connectSeconds: How long a connection may take.
  ///   - seconds: The most seconds of a whole request.
  /// - Throws: ``PostError`` where libcurl can't be set up.
  package init(connections: Int, connectSeconds: Int = 5, seconds: Int = 10) throws(PostError) {
    guard isReady, let made = unsafe curl_multi_init() else {
      throw PostError(code: .system, reason: "libcurl could not be set up")
    }
    for option in [CURLMOPT_MAXCONNECTS, CURLMOPT_MAX_TOTAL_CONNECTIONS] {
      guard unsafe skan_curl_set_number_of_many(made, option, connections) == CURLM_OK else {
        unsafe curl_multi_cleanup(made)
        throw PostError(code: .system, reason: "libcurl rejected the number of connections")
      }
    }
    unsafe many = made
    self.connectSeconds = connectSeconds
    self.seconds = seconds
  }

  deinit {
    for post in posts.values { unsafe curl_multi_remove_handle(many, post.transfer.handle) }
    unsafe curl_multi_cleanup(many)
  }

  /// How many posts are under way.
  package var count: Int { posts.count }

  /// Begins a post; ``ended(withinMilliseconds:)`` has what became of it.
  ///
  /// - Parameter number: What the caller knows it by.
  /// - Throws: ``PostError`` where it can't even begin; then nothing follows.
  package mutating func start(
    _ body: [UInt8], at url: String, headers: [(name: String, value: String)], as number: Int
  ) throws(PostError) {
    let transfer = try takeIdle()
    do throws(PostError) {
      try transfer.prepare(body, for: url, headers: headers)
    } catch {
      idle.append(transfer)
      throw error
    }
    guard unsafe curl_multi_add_handle(many, transfer.handle) == CURLM_OK else {
      throw PostError(code: .system, reason: "libcurl rejected another post")
    }
    posts[unsafe Int(bitPattern: transfer.handle)] = Post(number: number, transfer: transfer)
  }

  private mutating func takeIdle() throws(PostError) -> PostTransfer {
    if let transfer = idle.popLast() { return transfer }
    return try PostTransfer(connectSeconds: connectSeconds, seconds: seconds, certificates: nil)
  }

  /// Waits until a post has ended, and returns all that have.
  ///
  /// - Parameter milliseconds: How long it waits at most.
  /// - Returns: The answer of each, or why there is none, with the number that it was begun with.
  package mutating func ended(
    withinMilliseconds milliseconds: Int
  ) -> [(number: Int, answer: Result<PostAnswer, PostError>)] {
    let end = ContinuousClock.now + .milliseconds(milliseconds)
    while true {
      var running: Int32 = 0
      guard unsafe curl_multi_perform(many, &running) == CURLM_OK else {
        let numbers = posts.values.map(\.number)
        abandon()
        let error = PostError(code: .system, reason: "libcurl failed")
        return numbers.map { (number: $0, answer: .failure(error)) }
      }
      let ended = takeEnded()
      let rest = (end - .now) / .milliseconds(1)
      guard ended.isEmpty, !posts.isEmpty, rest > 0 else { return ended }
      _ = unsafe curl_multi_poll(many, nil, 0, Int32(rest.rounded(.up)), nil)
    }
  }

  private mutating func takeEnded() -> [(number: Int, answer: Result<PostAnswer, PostError>)] {
    var ended: [(number: Int, answer: Result<PostAnswer, PostError>)] = []
    var code = CURLE_OK
    while let handle = unsafe skan_curl_next_ended(many, &code) {
      guard let post = posts.removeValue(forKey: Int(bitPattern: handle)) else { continue }
      let answer = Result { () throws(PostError) in try post.transfer.answer(endedWith: code) }
      unsafe curl_multi_remove_handle(many, handle)
      idle.append(post.transfer)
      ended.append((number: post.number, answer: answer))
    }
    return ended
  }

  /// Ends the posts that are under way, whatever the other side makes of them.
  package mutating func abandon() {
    for post in posts.values {
      unsafe curl_multi_remove_handle(many, post.transfer.handle)
      idle.append(post.transfer)
    }
    posts = [:]
  }
}
