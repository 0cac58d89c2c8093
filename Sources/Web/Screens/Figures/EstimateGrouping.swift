import Arguments
import Campaigns
import EstimateReports
import Markup
import Pages
import Postbacks
import Tables
import Values

/// What the rows of the page of estimates are about; weeks and months are those of the install.
enum EstimateGrouping: String, CaseIterable, ParameterValue {
  case campaign, network, app, week, month, country, publisher, outcome, name
  case adSet = "ad-set"
  case creative
  case networkWeek = "network-week"
  case campaignWeek = "campaign-week"
  case countryWeek = "country-week"

  var dimensions: [EstimateDimension] {
    switch self {
    case .campaign: [.campaign]
    case .network: [.network]
    case .app: [.app]
    case .week: [.week]
    case .month: [.month]
    case .networkWeek: [.network, .week]
    case .campaignWeek: [.campaign, .week]
    case .country: [.country]
    case .countryWeek: [.country, .week]
    case .publisher: [.publisher]
    case .outcome: [.outcome]
    case .name: [.name]
    case .adSet: [.adSet]
    case .creative: [.creative]
    }
  }

  func title(_ texts: Texts) -> HTML {
    switch self {
    case .campaign: texts.columnCampaign
    case .network: texts.filterNetwork
    case .app: texts.filterApp
    case .week: texts.estimatesWeek
    case .month: texts.estimatesMonth
    case .networkWeek: texts.estimatesAndWeek(what: texts.filterNetwork)
    case .campaignWeek: texts.estimatesAndWeek(what: texts.columnCampaign)
    case .countryWeek: texts.estimatesAndWeek(what: texts.columnCountry)
    default: whatIsShown(texts)
    }
  }

  /// What postbacks or names have of the rows, besides apps, networks, campaigns and times.
  private func whatIsShown(_ texts: Texts) -> HTML {
    switch self {
    case .publisher: texts.columnPublisher
    case .outcome: texts.columnOutcome
    case .name: texts.columnName
    case .adSet: texts.columnAdSet
    case .creative: texts.columnCreative
    default: texts.columnCountry
    }
  }

  /// Whether Apple shows what rows are about above its privacy thresholds alone.
  var isPartlyShown: Bool { self == .country || self == .countryWeek || self == .publisher }

  /// The column with the rows' dates; `nil` where they have none.
  var date: Column<EstimateReport.Row>? {
    dimensions.contains(.week)
      ? EstimateReport.installWeek : dimensions.contains(.month) ? EstimateReport.installMonth : nil
  }

  /// Whether spend can be of a row.
  var hasSpend: Bool { !isPartlyShown && self != .outcome }

  /// The columns of a file by which rows differ.
  private var identity: [Column<EstimateReport.Row>] {
    let campaign = [
      EstimateReport.app, EstimateReport.network, EstimateReport.campaign, EstimateReport.campaignName,
      EstimateReport.nameCandidates,
    ]
    return switch self {
    case .campaign: campaign
    case .campaignWeek: campaign + [EstimateReport.installWeek]
    case .network: [EstimateReport.network]
    case .app: [EstimateReport.app]
    case .week: [EstimateReport.installWeek]
    case .month: [EstimateReport.installMonth]
    case .networkWeek: [EstimateReport.installWeek, EstimateReport.network]
    case .countryWeek: [EstimateReport.installWeek, EstimateReport.country]
    case .country: [EstimateReport.country]
    case .publisher: [EstimateReport.publisher]
    case .outcome: [EstimateReport.outcome]
    case .name: [EstimateReport.campaignName]
    case .adSet: [EstimateReport.adSet]
    case .creative: [EstimateReport.creative]
    }
  }

  /// The first column of the table, with how much of the row's last date has arrived where rows have dates.
  ///
  /// - Parameters:
  ///   - hasApps: Whether rows are of several apps, so that each campaign has its app below.
  ///   - total: Gives the cell of a total.
  func column(
    digits: Int, hasApps: Bool, total: @escaping (EstimateReport.Row) -> HTML, _ context: ScreenContext
  ) -> ReportColumn<EstimateReport.Row> {
    let (texts, address) = (context.texts, context.address)
    // The head is the date's alone, short enough for a phone: the name below it needs none.
    let head = dimensions.contains(.week) ? texts.estimatesWeek : title(texts)
    let first = self == .campaign ? EstimateReport.campaign : date ?? identity[0]
    return ReportColumn(first, head, shows: identity, isNumber: false) { row in
      guard !row.isTotal else { return total(row) }
      let when = date.map { Marks.cell($0.cell(of: row), $0.header.kind, texts) } ?? ""
      let arrived: HTML =
        row.arrived?.number.map { share in
          share < 0.995
            ? "<span class=\"id\">\(texts.estimatesArrived(share: Marks.share(share)))</span>" : ""
        } ?? ""
      let network = row.network.map { network -> HTML in
        let target = address.without(["by", "page"]).with("network", network)
        return "<a href=\"\(target.text)\">\(context.called.shortNetwork(network))</a>"
      }
      switch self {
      case .campaign: return CampaignName.lines(row.place, digits: digits, hasApp: hasApps, context)
      case .campaignWeek:
        return
          "\(CampaignName.lines(row.place, digits: digits, hasApp: hasApps, context))<span class=\"sub\">\(when)</span>\(arrived)"
      case .network: return "<span class=\"name\"><b>\(network ?? "")</b></span>"
      case .app:
        let app = row.app.map { context.called.app($0.number) } ?? ""
        return "<span class=\"name\"><b>\(app)</b></span>"
      case .week, .month: return "<span class=\"name\"><b>\(when)</b>\(arrived)</span>"
      case .networkWeek:
        return
          "<span class=\"name\"><b>\(when)</b><span class=\"id\">\(network ?? "")</span>\(arrived)</span>"
      case .countryWeek:
        return
          "<span class=\"name\"><b>\(when)</b><span class=\"id\">\(word(row, texts))</span>\(arrived)</span>"
      case .country, .publisher, .outcome, .name, .adSet, .creative:
        return "<span class=\"name\"><b>\(word(row, texts))</b></span>"
      }
    }
  }

  /// What a search by name finds a row by, besides its campaign.
  func cellText(of row: EstimateReport.Row) -> String? { identity[0].cell(of: row).text }

  /// What a row shows of what rows are about, in words.
  private func word(_ row: EstimateReport.Row, _ texts: Texts) -> HTML {
    let word: HTML? =
      switch self {
      case .outcome: row.outcome.map { PostbacksScreen.words(of: $0, texts) }
      case .publisher: row.publisher.map { "<bdi>\($0)</bdi>" }
      case .name: name(row.calledName, texts)
      case .adSet: name(row.label(.adSet), texts)
      case .creative: name(row.label(.creative), texts)
      default: row.country.map { "<bdi>\($0)</bdi>" }
      }
    let what = whatIsShown(texts)
    return word ?? (isPartlyShown ? texts.estimatesNotShown(what: what) : texts.campaignsWithout(what: what))
  }

  private func name(_ name: String?, _ texts: Texts) -> HTML? {
    name.map { $0 == EstimateReport.severalNames ? texts.estimatesSeveralNames : "<bdi>\($0)</bdi>" }
  }
}
