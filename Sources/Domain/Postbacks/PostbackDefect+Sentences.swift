import JSONText

// Every sentence about a postback is in this file. What comes from the sender is quoted, cut and escaped.

extension PostbackDefect: CustomStringConvertible {
  /// The code and a sentence: `wrong-type: "app-id" must be an integer, found a string`.
  public var description: String { "\(code): \(sentence)" }

  /// The sentence without the code.
  public var sentence: String {
    switch self {
    case .tooLarge(let limit): "the body has more than \(limit) bytes"
    case .brokenJSON(let part, let defect): "\(part.text) is not JSON: \(defect)"
    case .duplicateMember(let part, let defect): "\(part.text) is ambiguous: \(defect)"
    case .notAnObject(let part, let found): "\(part.text) must be a JSON object, found \(found.rawValue)"
    case .missingMember(let member): "\(member) is required and missing"
    case .wrongType(let member, let expected, let found):
      "\(member) must be \(expected.rawValue), found \(found.rawValue)"
    case .outOfRange(let member, .within(let low, let high)): "\(member) must be \(low) through \(high)"
    case .outOfRange(let member, .notNegative): "\(member) must be 0 through \(Int64.max)"
    case .wrongForm(let member, let form): "\(member) \(form.rawValue)"
    case .separatorInValue(let member):
      "\(member) must not contain U+2063, the separator of the signed string"
    case .exclusiveMembers(let one, let other): "\(one) and \(other) exclude each other"
    case .notInForm(let profile, let defect): "by the profile \(quoted(profile)), \(defect.sentence)"
    }
  }
}

extension NetworkFormDefect {
  fileprivate var sentence: String {
    switch self {
    case .missing(let name): "Apple's body is in \(quoted(name)), which is missing"
    case .notBase64(let name): "\(quoted(name)) must be base64 of Apple's body"
    case .notText(let name): "\(quoted(name)) must be Apple's body as a text"
    case .notParameters: "the body must be parameters such as transaction-id=...&app-id=..., percent-encoded"
    case .test(let name): "\(quoted(name)) marks a test, and tests are not counted"
    }
  }
}

extension PostbackWarning: CustomStringConvertible {
  public var description: String { "\(code): \(sentence)" }

  /// The sentence without the code.
  public var sentence: String {
    switch self {
    case .unknownMember(.body, let name): "Apple documents no member \(quoted(name))"
    case .unknownMember(let part, let name): "Apple documents no member \(quoted(name)) in \(part.text)"
    case .unsignedMember(let name, let version):
      "\"\(name.rawValue)\" is not a member of version \(version.rawValue) and is ignored"
    case .nullAsText(let name):
      "\"\(name.rawValue)\" has a text for no value and counts as missing; Apple leaves the member out"
    case .valueOutOfRange: "\"conversion-value\" must be 0 through 63; it is not counted"
    case .valueWithoutWin: "a postback with \"did-win\" false has no value; the value found is not counted"
    case .fineValueInLaterWindow:
      "postbacks of windows 2 and 3 have no \"conversion-value\"; it is not counted"
    case .bothValues:
      "\"conversion-value\" and \"coarse-conversion-value\" exclude each other; neither is counted"
    case .unknownCoarseWord: "\"coarse-conversion-value\" must be low, medium or high; it is not counted"
    case .coarseCase: "\"coarse-conversion-value\" is not in lower case, so a sender rewrote the body"
    case .coarseBesideFourDigits: "a four-digit source identifier comes with a fine value, not a coarse one"
    case .unknownConversionType: "Apple documents no such conversion type"
    case .unknownImpressionType: "Apple documents no such impression type"
    case .unknownInteractionType: "\"ad-interaction-type\" must be view or click and is ignored"
    case .sourceWithoutWin:
      "a postback with \"did-win\" false has no source of the ad; this one does"
    case .laterWindowWithoutWin: "a postback with \"did-win\" false exists only for window 1"
    case .detailInLaterWindow:
      "postbacks of windows 2 and 3 have two digits and no source; this one has more"
    case .testMarker: "\"source-app-id\" 0 marks a test; this is not a production postback"
    }
  }
}

extension UnverifiableReason: CustomStringConvertible {
  public var description: String { "\(code): \(sentence)" }

  /// The sentence without the code.
  public var sentence: String {
    switch self {
    case .unknownVersion(let version): "Apple documents no version \(quoted(version, upTo: 16))"
    case .missingSignature: "\"attribution-signature\" is missing"
    case .unknownKey(nil): "jws-string names no key (\"kid\")"
    case .unknownKey(let key?): "no key is known for the \"kid\" \(quoted(key))"
    }
  }
}

extension InvalidReason: CustomStringConvertible {
  public var description: String { "\(code): \(sentence)" }

  /// The sentence without the code.
  public var sentence: String {
    switch self {
    case .signatureMismatch: "no trusted key signed these fields"
    case .signatureEncoding: "\"attribution-signature\" is not a signature in base64"
    case .jwsSegments: "jws-string must have three segments"
    case .jwsEncoding: "a segment of jws-string is not base64url without padding"
    case .jwsAlgorithm: "jws-string must be signed with ES256"
    case .jwsCritical: "jws-string requires unknown extensions (\"crit\")"
    case .jwsSignatureLength: "the signature of jws-string must have 64 bytes"
    }
  }
}
