import JSONText

extension SKAdNetworkPostback {
  /// Reads the members that the version documents; members of other versions are noted and left alone.
  ///
  /// - Throws: ``PostbackDefect`` for the first member that is missing or not as documented.
  init(
    reading object: JSONObject, version: ProtocolVersion, warnings: inout [PostbackWarning]
  ) throws(PostbackDefect) {
    var members = MemberReader(object, part: .body)
    _ = try members.optionalString(.version)
    let network = try members.network(.adNetworkID)
    let terms: SKAdNetworkTerms
    switch version {
    case .v4_0: terms = try .version4(from: &members)
    default: terms = try .earlier(version, from: &members)
    }
    let app = try members.app(.appID)
    let transactionID = try members.nonEmptyString(.transactionID)
    let signature = try members.optionalString(.attributionSignature)
    let sent =
      version == .v1_0
      ? nil : try SentValue(from: &members, hasCoarse: version == .v4_0, warnings: &warnings)
    let country = version == .v4_0 ? try members.optionalClaim(.countryCode, &warnings) : nil

    let source: SourceIdentifier? =
      if case .sourceIdentifier(let source) = terms.campaign { source } else { nil }
    let value = sent?.judged(didWin: terms.didWin, window: terms.window, source: source, warnings: &warnings)
    for name in members.others { warnings.append(.about(name, in: version)) }

    self.network = network
    self.terms = terms
    self.advertisedApp = app
    self.transactionID = transactionID
    self.signature = signature
    self.claimed = ClaimedFacts(value: value ?? .absent, interaction: nil, country: country)
    if version == .v4_0 || version == .v3_0 { warnings += attested.contradictions }
  }
}

extension SKAdNetworkTerms {
  fileprivate static func earlier(
    _ version: ProtocolVersion, from members: inout MemberReader
  ) throws(PostbackDefect) -> SKAdNetworkTerms {
    let number = try members.integer(.campaignID, in: 1...100)
    guard let campaign = CampaignID(number) else {
      throw .outOfRange(MemberPath(.body, .campaignID), .within(1, 100))
    }
    if version == .v1_0 { return .v1_0(campaign) }
    let redownload = try members.boolean(.redownload)
    let sourceApp = try members.optionalApp(.sourceAppID)
    if version == .v2_0 { return .v2_0(campaign, redownload: redownload, sourceApp: sourceApp) }
    if version == .v2_1 { return .v2_1(campaign, redownload: redownload, sourceApp: sourceApp) }
    let fidelity = try members.fidelity()
    if version == .v2_2 {
      return .v2_2(campaign, redownload: redownload, sourceApp: sourceApp, fidelity: fidelity)
    }
    let didWin = try members.boolean(.didWin)
    return .v3_0(campaign, redownload: redownload, sourceApp: sourceApp, fidelity: fidelity, didWin: didWin)
  }

  fileprivate static func version4(from members: inout MemberReader) throws(PostbackDefect)
    -> SKAdNetworkTerms
  {
    let source = try members.sourceIdentifier()
    let redownload = try members.boolean(.redownload)
    let sourceApp = try members.optionalApp(.sourceAppID)
    let domain = try members.optionalString(.sourceDomain)
    let publisher: Publisher
    switch (sourceApp, domain) {
    case (nil, nil): publisher = .undisclosed
    case (let app?, nil): publisher = .app(app)
    case (nil, let domain?):
      guard !domain.isEmpty else { throw .wrongForm(MemberPath(.body, .sourceDomain), .notEmpty) }
      // The signed string is the same for an app and for a domain of its digits.
      guard domain.utf8.contains(UInt8(ascii: ".")) else {
        throw .wrongForm(MemberPath(.body, .sourceDomain), .domain)
      }
      publisher = .web(domain)
    case (_?, _?):
      throw .exclusiveMembers(MemberPath(.body, .sourceAppID), MemberPath(.body, .sourceDomain))
    }
    return .v4_0(
      source, redownload: redownload, publisher: publisher, fidelity: try members.fidelity(),
      didWin: try members.boolean(.didWin), window: try members.window())
  }
}

extension MemberReader {
  fileprivate mutating func fidelity() throws(PostbackDefect) -> AdInteraction {
    try integer(.fidelityType, in: 0...1) == 0 ? .view : .click
  }
}

extension PostbackWarning {
  /// The warning about a member that the version does not document.
  fileprivate static func about(_ name: String, in version: ProtocolVersion) -> PostbackWarning {
    if let known = MemberName.ofSKAdNetwork.first(where: { haveSameBytes($0.rawValue, name) }) {
      return .unsignedMember(known, version)
    }
    return .unknownMember(.body, name: String(name.unicodeScalars.prefix(60)))
  }
}
