extension SKAdNetworkPostback {
  /// The exact bytes that Apple signs: the version's values as UTF-8, joined by U+2063 (`E2 81 A3`).
  ///
  /// Booleans are the words `true` and `false`, integers are plain decimal, and a missing optional value leaves no
  /// empty slot behind. `conversion-value`, `coarse-conversion-value` and `country-code` are in no version's list.
  /// Source: Apple, "Verifying an install-validation postback", "Combining parameters for SKAdNetwork 3 postbacks"
  /// and "Combining parameters for previous SKAdNetwork postback versions".
  public var signedMessage: [UInt8] {
    var message = SignedMessage()
    switch terms {
    case .v1_0(let campaign):
      message.add(network.text)
      message.add(campaign.number)
      message.add(advertisedApp)
      message.add(transactionID)
    case .v2_0(let campaign, let redownload, let sourceApp),
      .v2_1(let campaign, let redownload, let sourceApp):
      message.addCommon(self, campaign: String(campaign.number), redownload: redownload)
      message.add(sourceApp)
    case .v2_2(let campaign, let redownload, let sourceApp, let fidelity):
      message.addCommon(self, campaign: String(campaign.number), redownload: redownload)
      message.add(sourceApp)
      message.add(fidelity.fidelityType)
    case .v3_0(let campaign, let redownload, let sourceApp, let fidelity, let didWin):
      message.addCommon(self, campaign: String(campaign.number), redownload: redownload)
      message.add(sourceApp)
      message.add(fidelity.fidelityType)
      message.add(didWin)
    case .v4_0(let source, let redownload, let publisher, let fidelity, let didWin, let window):
      message.addCommon(self, campaign: source.text, redownload: redownload)
      switch publisher {
      case .app(let app): message.add(app)
      case .web(let domain): message.add(domain)
      case .undisclosed: break
      }
      message.add(fidelity.fidelityType)
      message.add(didWin)
      message.add(window.rawValue)
    }
    return message.bytes
  }
}

/// The signed bytes while they are put together.
private struct SignedMessage {
  var bytes: [UInt8] = []

  init() { bytes.reserveCapacity(192) }

  mutating func add(_ text: String) {
    if !bytes.isEmpty {
      bytes.append(0xE2)
      bytes.append(0x81)
      bytes.append(0xA3)
    }
    bytes += text.utf8
  }

  mutating func add(_ truth: Bool) { add(truth ? "true" : "false") }
  mutating func add(_ number: Int) { add(String(number)) }

  mutating func add(_ app: AppID?) {
    if let app { add(String(app.number)) }
  }

  /// The six values that every version from 2.0 on starts with.
  mutating func addCommon(_ postback: SKAdNetworkPostback, campaign: String, redownload: Bool) {
    add(postback.terms.version.rawValue)
    add(postback.network.text)
    add(campaign)
    add(postback.advertisedApp)
    add(postback.transactionID)
    add(redownload)
  }
}

extension AdInteraction {
  /// `fidelity-type`: 0 for a view, 1 for an ad that StoreKit rendered or a web ad.
  public var fidelityType: Int { self == .view ? 0 : 1 }
}
