import Arguments
import Markup
import Pages
import Reporting
import Tables
import Values

/// What the rows of the page of estimates are about; weeks and months are those of the install.
enum EstimateGrouping: String, CaseIterable, ParameterValue {
  case campaign, network, app, week, month
  case networkWeek = "network-week"
  case campaignWeek = "campaign-week"

  var dimensions: [EstimateDimension] {
    switch self {
    case .campaign: [.campaign]
    case .network: [.network]
    case .app: [.app]
    case .week: [.week]
    case .month: [.month]
    case .networkWeek: [.network, .week]
    case .campaignWeek: [.campaign, .week]
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
    }
  }

  /// The column with the rows' dates; `nil` where they have none.
  var date: String? {
    dimensions.contains(.week) ? "install-week" : dimensions.contains(.month) ? "install-month" : nil
  }

  /// The first column of the table, with how much of the row's last date has arrived where rows have dates.
  func column(
    _ table: ReportTable, from address: PageAddress, digits: Int, _ texts: Texts
  ) -> DataTable.Column {
    table.column(date ?? rawValue, title(texts), isNumber: false) { row in
      let when = date.map { Marks.cell(row[$0], $0 == "install-week" ? .day : .text, texts) } ?? ""
      let arrived: HTML =
        row["completeness"].number.map { share in
          share < 0.995
            ? "<span class=\"id\">\(texts.estimatesArrived(share: Marks.share(share)))</span>" : ""
        } ?? ""
      let network = row.text("network").map { network -> HTML in
        let target = address.without(["by", "page"]).with("network", network)
        return "<a href=\"\(target.text)\"><bdi>\(row.text("network-name") ?? network)</bdi></a>"
      }
      switch self {
      case .campaign: return CampaignName.markup(row, from: address, digits: digits)
      case .campaignWeek:
        return
          "\(CampaignName.markup(row, from: address, digits: digits))<span class=\"sub\">\(when)</span>\(arrived)"
      case .network: return "<span class=\"name\"><b>\(network ?? "")</b></span>"
      case .app: return "<span class=\"name\"><b><bdi>\(row.text("app") ?? "")</bdi></b></span>"
      case .week, .month: return "<span class=\"name\"><b>\(when)</b>\(arrived)</span>"
      case .networkWeek:
        return
          "<span class=\"name\"><b>\(when)</b><span class=\"id\">\(network ?? "")</span>\(arrived)</span>"
      }
    }
  }
}
