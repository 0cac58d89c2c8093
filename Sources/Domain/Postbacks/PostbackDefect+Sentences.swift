import JSONText
package import Values

// Every sentence about a postback is in this file. What comes from the sender is quoted, cut and escaped.

extension PostbackDefect: CustomStringConvertible {
  public var description: String { codedSentence.english }

  /// The code and a sentence: `wrong-type: "app-id" must be an integer, found a string`.
  package var codedSentence: Sentence { Sentence("\(code: code): \(sentence)") }

  /// The sentence without the code.
  package var sentence: Sentence {
    switch self {
    case .tooLarge(let limit): Sentence("the body has more than \(limit) bytes")
    case .brokenJSON(let part, let defect):
      Sentence("\(part.words) is not JSON: \(defect.sentence)")
    case .duplicateMember(let part, let defect):
      Sentence("\(part.words) is ambiguous: \(defect.sentence)")
    case .notAnObject(let part, let found):
      Sentence("\(part.words) must be a JSON object, found \(found.words)")
    case .missingMember(let member): Sentence("\(code: member) is required and missing")
    case .wrongType(let member, let expected, let found):
      Sentence(
        "\(code: member) must be \(expected.words), found \(found.words)"
      )
    case .outOfRange(let member, .within(let low, let high)):
      Sentence("\(code: member) must be \(low) through \(high)")
    case .outOfRange(let member, .notNegative):
      Sentence("\(code: member) must be 0 through \(Int64.max)")
    case .wrongForm(let member, .notEmpty): Sentence("\(code: member) must not be empty")
    case .wrongForm(let member, .domain):
      Sentence("\(code: member) must be a domain name with a dot, such as example.com")
    case .wrongForm(let member, .twoToFourDigits):
      Sentence("\(code: member) must be two, three or four decimal digits")
    case .separatorInValue(let member):
      Sentence("\(code: member) must not contain U+2063, the separator of the signed string")
    case .exclusiveMembers(let one, let other):
      Sentence("\(code: one) and \(code: other) exclude each other")
    case .notInForm(let profile, let defect):
      Sentence("by the profile \(name: quoted(profile)), \(defect.sentence)")
    }
  }
}

extension NetworkFormDefect {
  fileprivate var sentence: Sentence {
    switch self {
    case .missing(let name): Sentence("Apple's body is in \(name: quoted(name)), which is missing")
    case .notBase64(let name): Sentence("\(name: quoted(name)) must be base64 of Apple's body")
    case .notText(let name): Sentence("\(name: quoted(name)) must be Apple's body as a text")
    case .notParameters:
      Sentence("the body must be parameters such as transaction-id=...&app-id=..., percent-encoded")
    case .test(let name): Sentence("\(name: quoted(name)) marks a test, and tests are not counted")
    }
  }
}

extension PostbackWarning: CustomStringConvertible {
  public var description: String { codedSentence.english }

  /// The code and a sentence.
  package var codedSentence: Sentence { Sentence("\(code: code): \(sentence)") }

  private var sentence: Sentence {
    switch self {
    case .unknownMember(.body, let name): Sentence("Apple documents no member \(name: quoted(name))")
    case .unknownMember(let part, let name):
      Sentence("Apple documents no member \(name: quoted(name)) in \(part.words)")
    case .unsignedMember(let name, let version):
      Sentence(
        "\"\(code: name.rawValue)\" is not a member of version \(code: version.rawValue) and is ignored")
    case .nullAsText(let name):
      Sentence(
        "\"\(code: name.rawValue)\" has a text for no value and counts as missing; Apple leaves the member out"
      )
    case .valueOutOfRange: Sentence("\"conversion-value\" must be 0 through 63; it is not counted")
    case .valueWithoutWin:
      Sentence("a postback with \"did-win\" false has no value; the value found is not counted")
    case .fineValueInLaterWindow:
      Sentence("postbacks of windows 2 and 3 have no \"conversion-value\"; it is not counted")
    case .bothValues:
      Sentence(
        "\"conversion-value\" and \"coarse-conversion-value\" exclude each other; neither is counted")
    case .unknownCoarseWord:
      Sentence("\"coarse-conversion-value\" must be low, medium or high; it is not counted")
    case .coarseCase:
      Sentence("\"coarse-conversion-value\" is not in lower case, so a sender rewrote the body")
    case .coarseBesideFourDigits:
      Sentence("a four-digit source identifier comes with a fine value, not a coarse one")
    case .unknownConversionType: Sentence("Apple documents no such conversion type")
    case .unknownImpressionType: Sentence("Apple documents no such impression type")
    case .unknownInteractionType:
      Sentence("\"ad-interaction-type\" must be view or click and is ignored")
    case .sourceWithoutWin:
      Sentence("a postback with \"did-win\" false has no source of the ad; this one does")
    case .laterWindowWithoutWin:
      Sentence("a postback with \"did-win\" false exists only for window 1")
    case .detailInLaterWindow:
      Sentence("postbacks of windows 2 and 3 have two digits and no source; this one has more")
    case .testMarker:
      Sentence("\"source-app-id\" 0 marks a test; this is not a production postback")
    }
  }
}

extension UnverifiableReason: CustomStringConvertible {
  public var description: String { codedSentence.english }

  /// The code and a sentence.
  package var codedSentence: Sentence { Sentence("\(code: code): \(sentence)") }

  private var sentence: Sentence {
    switch self {
    case .unknownVersion(let version):
      Sentence("Apple documents no version \(name: quoted(version, upTo: 16))")
    case .missingSignature: Sentence("\"attribution-signature\" is missing")
    case .unknownKey(nil): Sentence("jws-string names no key (\"kid\")")
    case .unknownKey(let key?): Sentence("no key is known for the \"kid\" \(name: quoted(key))")
    }
  }
}

extension InvalidReason: CustomStringConvertible {
  public var description: String { codedSentence.english }

  /// The code and a sentence.
  package var codedSentence: Sentence { Sentence("\(code: code): \(sentence)") }

  /// The sentence without the code.
  package var sentence: Sentence {
    switch self {
    case .signatureMismatch: Sentence("no trusted key signed these fields")
    case .signatureEncoding: Sentence("\"attribution-signature\" is not a signature in base64")
    case .jwsSegments: Sentence("jws-string must have three segments")
    case .jwsEncoding: Sentence("a segment of jws-string is not base64url without padding")
    case .jwsAlgorithm: Sentence("jws-string must be signed with ES256")
    case .jwsCritical: Sentence("jws-string requires unknown extensions (\"crit\")")
    case .jwsSignatureLength: Sentence("the signature of jws-string must have 64 bytes")
    }
  }
}
