package import Postbacks

/// Which campaign a row of a report is about and what people call it; a row of several campaigns lacks parts of it.
package struct CampaignPlace: Hashable, Sendable {
  package var app: AppID?
  package var network: String?
  /// The campaign's digits.
  package var digits: String?
  /// What people call it; `nil` where its digits leave a doubt.
  package var name: String?
  /// The names that its digits can stand for, where there are several.
  package var candidates: [String] = []

  package init(app: AppID?, network: String?, digits: String?, name: String?, candidates: [String] = []) {
    (self.app, self.network, self.digits) = (app, network, digits)
    (self.name, self.candidates) = (name, candidates)
  }

  package init(app: AppID?, network: String?, digits: String?, _ match: CampaignNames.Match) {
    self.init(app: app, network: network, digits: digits, name: match.name, candidates: match.candidates)
  }

  /// The same without what people call it.
  package var unnamed: Self { Self(app: app, network: network, digits: digits, name: nil) }
}
