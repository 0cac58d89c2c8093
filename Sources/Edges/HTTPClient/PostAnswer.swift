/// What the other side answered to a post.
package struct PostAnswer: Equatable, Sendable {
  package let status: Int
  /// Seconds of the header Retry-After, or those until its date; `nil` where there is none.
  package let retryAfterSeconds: Int64?
  /// The first 200 bytes of the body.
  package let beginning: [UInt8]

  package init(status: Int, retryAfterSeconds: Int64? = nil, beginning: [UInt8] = []) {
    self.status = status
    self.retryAfterSeconds = retryAfterSeconds
    self.beginning = beginning
  }
}
