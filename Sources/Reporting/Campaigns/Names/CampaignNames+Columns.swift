import Ledger
package import Tables
import Values

extension CampaignNames.Match {
  /// What a campaign is called, for tables of campaigns.
  package static let columns: [Column<Self>] = [
    Column(
      "name", "name", "Name of the campaign, where its digits leave no doubt.", shown: .whereUseful
    ) { match -> String? in
      if case .known(let name) = match { name.name } else { nil }
    },
    Column(
      "name-candidates", "names that fit", "Names that the digits can stand for, where there are several.",
      shown: .whereUseful
    ) { match -> [String] in
      if case .ambiguous(let names) = match { names } else { [] }
    },
  ]
}
