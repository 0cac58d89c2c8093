import Arguments
import Postbacks

/// The options that the commands on drafts and published versions share.
enum PublishingOptions {
  static let app = TypedOption<Int?>.value(
    "--app", "ID", .integer(0...(.max)), "App Store number of the app.")
  static let mappings = TypedOption<String?>.value(
    "--mappings", "DIR", .path,
    "Folder of mapping files that `skan serve` watches; the version becomes a file there.", isSetting: true)
}

extension Invocation {
  /// The app of `--app`; `nil` where it is not given.
  var appIfAny: AppID? { self[PublishingOptions.app].flatMap { AppID(Int64($0)) } }
}
