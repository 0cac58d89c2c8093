import MappingEditing
import MappingLibrary
import Mappings
import Pages
import Postbacks

/// The file of imported users that mappings are tried on.
enum KeptUsers {
  /// Keeps a file with the columns' own names.
  static func keep(_ file: [UInt8], of app: AppID, _ context: ScreenContext) throws {
    let currency = try MappingCatalog(from: context.reader).histories[app]?.versions.first?.currency
    _ = try ImportedUsers(beside: context.database).keep(file, of: app, currency: currency)
  }
}
