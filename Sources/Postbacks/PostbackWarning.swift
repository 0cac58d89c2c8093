/// An oddity in a part of a postback that the signature does not cover.
public struct PostbackWarning: Hashable, Sendable {
}
