import JSONText

extension AdAttributionKitPostback {
  /// Reads the envelope's members and the payload of its JWS.
  ///
  /// Source: Apple, "Identifying the parameters in a postback" (AdAttributionKit).
  ///
  /// - Throws: ``JWS/Failure`` for the first thing that is not as documented.
  init(reading envelope: JSONObject, jws: JWS, warnings: inout [PostbackWarning]) throws(PostbackDefect) {
    var payload = MemberReader(jws.payload, part: .jwsPayload)
    let network = try payload.network(.adNetworkIdentifier)
    let source = try payload.sourceIdentifier()
    let app = try payload.app(.advertisedItemIdentifier)
    let id = try payload.nonEmptyString(.postbackIdentifier)
    let window = try payload.window()
    let didWin = try payload.boolean(.didWin)
    let outcome = Outcome(conversionType: try payload.string(.conversionType))
    if !haveSameBytes(try payload.string(.impressionType), "app-impression") {
      warnings.append(.unknownImpressionType)
    }
    if outcome == .other { warnings.append(.unknownConversionType) }
    let marketplace = try payload.optionalString(.marketplaceIdentifier)
    let publisher = try payload.optionalApp(.publisherItemIdentifier)

    var claims = MemberReader(envelope, part: .body)
    _ = try claims.string(.jwsString)
    var interaction: AdInteraction?
    if let word = try claims.optionalClaim(.adInteractionType, &warnings) {
      interaction = AdInteraction.allCases.first { haveSameBytes($0.rawValue, word) }
      if interaction == nil { warnings.append(.unknownInteractionType) }
    }
    let sent = try SentValue(from: &claims, hasCoarse: true, warnings: &warnings)
    let country = try claims.optionalClaim(.countryCode, &warnings)
    let value = sent.judged(didWin: didWin, window: window, source: source, warnings: &warnings)
    for (part, others) in [(PostbackPart.body, claims.others), (.jwsPayload, payload.others)] {
      for name in others {
        warnings.append(.unknownMember(part, name: String(name.unicodeScalars.prefix(60))))
      }
    }

    attested = AttestedFacts(
      version: .adAttributionKit, network: network, advertisedApp: app, campaign: .sourceIdentifier(source),
      id: id,
      window: window, outcome: didWin ? outcome : .assist, interaction: nil,
      publisher: publisher.map { .app($0) } ?? .undisclosed, marketplace: marketplace)
    claimed = ClaimedFacts(value: value, interaction: interaction, country: country)
    keyID = jws.keyID
    signedMessage = jws.signedMessage
    signature = jws.signature
    warnings += attested.contradictions
  }
}

extension Outcome {
  /// What a `conversion-type` reports about an ad that won.
  fileprivate init(conversionType word: String) {
    self =
      switch word {
      case "download": .install
      case "redownload": .redownload
      case "re-engagement": .reengagement
      default: .other
      }
  }
}
