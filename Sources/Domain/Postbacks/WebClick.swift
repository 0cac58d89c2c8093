import JSONText
import Values

/// A conversion on a website after a click on an ad, as Private Click Measurement ("Web AdAttributionKit") reports it.
///
/// Nothing in it is attested: any client that knows the address can send one. The tokens prove something only to a reader that
/// has the blind-signature key of the site that issued them.
/// Source: WebKit, `PrivateClickMeasurement::attributionReportJSON`, versions 1 to 3.
public struct WebClick: Equatable, Sendable {
  /// Bytes of a body at most; one with both tokens, signed by keys of 4096 bits, has about 3,500.
  public static let byteLimit = 8192

  public let sourceSite: WebSite
  public let destinationSite: WebSite
  /// What the source site calls the ad, 0 through 255.
  public let sourceID: Int64
  /// What the destination site calls the conversion, 0 through 15.
  public let triggerData: Int64
  /// The version of the report, at least 1.
  public let version: Int64
  /// Whether it carries a secret token, which no other report carries.
  public let hasToken: Bool

  /// Reads a body; members of other names are left to later readers.
  ///
  /// - Throws: ``PostbackDefect`` for the first member that is not as WebKit writes it.
  public init(_ body: [UInt8]) throws(PostbackDefect) {
    guard body.count <= Self.byteLimit else { throw .tooLarge(limit: Self.byteLimit) }
    let node: JSONNode
    do {
      node = try JSONReader.read(body)
    } catch {
      throw error.reason == .duplicateMember ? .duplicateMember(.body, error) : .brokenJSON(.body, error)
    }
    guard case .object(let object) = node.value else {
      throw .notAnObject(.body, found: node.value.sort)
    }
    var members = MemberReader(object, part: .body)
    guard try members.string(.sourceEngagementType) == "click" else {
      throw .wrongForm(MemberPath(.body, .sourceEngagementType), .click)
    }
    sourceSite = try members.site(.sourceSite)
    sourceID = try members.integer(.sourceID, in: 0...255)
    destinationSite = try members.site(.attributedOnSite)
    triggerData = try members.integer(.triggerData, in: 0...15)
    version = try members.integer(.version, in: 1...255)
    let hasSourceToken = try members.hasToken(.sourceSecretToken, .sourceSecretTokenSignature)
    let hasDestinationToken = try members.hasToken(.destinationSecretToken, .destinationSecretTokenSignature)
    hasToken = hasSourceToken || hasDestinationToken
  }
}

/// The name of a website in lower case; one outside ASCII is in its ASCII form.
public struct WebSite: Equatable, Sendable {
  /// The name: letters, digits, dots and hyphens, at most 253 of them.
  public let text: String

  /// Reads a name in either case; `nil` where the text is none.
  public init?(_ text: String) {
    let name = text.lowercased()
    let isName = name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."),
        UInt8(ascii: "-"):
        true
      default: false
      }
    }
    guard isName, (1...253).contains(name.utf8.count), name.first != ".", name.last != "." else { return nil }
    self.text = name
  }
}

extension MemberReader {
  fileprivate mutating func site(_ name: MemberName) throws(PostbackDefect) -> WebSite {
    guard let site = WebSite(try string(name)) else { throw .wrongForm(MemberPath(part, name), .site) }
    return site
  }

  /// Whether a token is there; a token without its signature, or the reverse, is a defect.
  fileprivate mutating func hasToken(
    _ token: MemberName, _ signature: MemberName
  ) throws(PostbackDefect) -> Bool {
    guard has(token) || has(signature) else { return false }
    for name in [token, signature] {
      let text = try nonEmptyString(name)
      guard Base64.decodeURL(text.utf8) != nil else { throw .wrongForm(MemberPath(part, name), .base64URL) }
    }
    return true
  }
}
