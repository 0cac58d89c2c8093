import Ledger
package import Tables
import Values

extension CampaignNames.Match {
  /// The name; `nil` where the digits leave a doubt.
  package var name: String? { if case .known(let row) = self { row.name } else { nil } }

  /// The names that the digits can stand for, where there are several.
  package var candidates: [String] { if case .ambiguous(let names) = self { names } else { [] } }

  package static let nameColumn = Column<Self>(
    "name", "name", "Name of the campaign, where its digits leave no doubt.", shown: .whereUseful, \.name)

  package static let candidatesColumn = Column<Self>(
    "name-candidates", "names that fit", "Names that the digits can stand for, where there are several.",
    shown: .whereUseful, \.candidates)

  /// What a campaign is called, for tables of campaigns.
  package static let columns: [Column<Self>] = [nameColumn, candidatesColumn]
}
