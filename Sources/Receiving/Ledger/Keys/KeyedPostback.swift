public import Verification

/// A verified postback with the key of its conversion, which is made where the postback was judged rather than in the
/// one thread that writes.
public struct KeyedPostback: Sendable {
  public let postback: VerifiedPostback
  public let key: ConversionKey

  public init(_ postback: VerifiedPostback) {
    self.postback = postback
    key = ConversionKey(of: postback)
  }
}
