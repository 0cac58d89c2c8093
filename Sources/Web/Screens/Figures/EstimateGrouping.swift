import Arguments
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
  var date: String? {
    dimensions.contains(.week) ? "install-week" : dimensions.contains(.month) ? "install-month" : nil
  }

  /// Whether each row is of one network, and its first column does not name it.
  var hasOneNetwork: Bool { self == .campaign || self == .campaignWeek }

  /// The fields of a file by which rows differ.
  private var fields: [String] {
    let campaign = ["app", "network", "campaign", "name", "name-candidates"]
    return switch self {
    case .campaign: campaign
    case .campaignWeek: campaign + ["install-week"]
    case .network: ["network"]
    case .app: ["app"]
    case .week: ["install-week"]
    case .month: ["install-month"]
    case .networkWeek: ["install-week", "network"]
    case .countryWeek: ["install-week", "country"]
    case .country, .publisher, .outcome, .name, .adSet, .creative: [rawValue]
    }
  }

  /// The first column of the table, with how much of the row's last date has arrived where rows have dates.
  func column(_ table: ReportTable, digits: Int, _ context: ScreenContext) -> DataTable.Column {
    let (texts, address) = (context.texts, context.address)
    // The head is the date's alone, short enough for a phone: the name below it needs none.
    let head = dimensions.contains(.week) ? texts.estimatesWeek : title(texts)
    return table.column(date ?? rawValue, head, fields: fields, isNumber: false) { row in
      let when = date.map { Marks.cell(row[$0], $0 == "install-week" ? .day : .text, texts) } ?? ""
      let arrived: HTML =
        row["completeness"].number.map { share in
          share < 0.995
            ? "<span class=\"id\">\(texts.estimatesArrived(share: Marks.share(share)))</span>" : ""
        } ?? ""
      let network = row.text("network").map { network -> HTML in
        let target = address.without(["by", "page"]).with("network", network)
        return "<a href=\"\(target.text)\">\(context.called.shortNetwork(network))</a>"
      }
      switch self {
      case .campaign: return CampaignName.markup(row, digits: digits, hasNetwork: false, context)
      case .campaignWeek:
        return
          "\(CampaignName.markup(row, digits: digits, hasNetwork: false, context))<span class=\"sub\">\(when)</span>\(arrived)"
      case .network: return "<span class=\"name\"><b>\(network ?? "")</b></span>"
      case .app: return "<span class=\"name\"><b>\(context.called.app(row.text("app") ?? ""))</b></span>"
      case .week, .month: return "<span class=\"name\"><b>\(when)</b>\(arrived)</span>"
      case .networkWeek:
        return
          "<span class=\"name\"><b>\(when)</b><span class=\"id\">\(network ?? "")</span>\(arrived)</span>"
      case .countryWeek:
        return
          "<span class=\"name\"><b>\(when)</b><span class=\"id\">\(word(row, "country", texts))</span>\(arrived)</span>"
      case .country, .publisher, .outcome, .name, .adSet, .creative:
        return "<span class=\"name\"><b>\(word(row, rawValue, texts))</b></span>"
      }
    }
  }

  /// What a row shows of what rows are about, in words.
  private func word(_ row: NamedCells, _ field: String, _ texts: Texts) -> HTML {
    guard let text = row.text(field) else {
      let what = whatIsShown(texts)
      return isPartlyShown ? texts.estimatesNotShown(what: what) : texts.campaignsWithout(what: what)
    }
    if self == .outcome, let outcome = Outcome(rawValue: text) {
      return PostbacksScreen.words(of: outcome, texts)
    }
    return text == EstimateReport.severalNames ? texts.estimatesSeveralNames : "<bdi>\(text)</bdi>"
  }
}
