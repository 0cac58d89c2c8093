/// A response that many requests share, made once.
public final class PreparedResponse: Sendable {
  public let response: Response
  let raw: RawResponse

  public init(_ response: Response) {
    self.response = response
    guard let raw = RawResponse(response, closing: false, isShared: true) else {
      preconditionFailure("there is no memory for a prepared response")
    }
    self.raw = raw
  }
}
