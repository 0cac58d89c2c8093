import Arguments

/// The options that every command has.
enum CommonOptions {
  static let quiet = TypedOption.flag("--quiet", "Hide notes and progress.", short: "q")
  static let noColor = TypedOption.flag("--no-color", "Disable colours.")
  static let configuration = TypedOption<String?>.value(
    "--config", "FILE", .path, "Configuration file.", isSetting: true)

  static let all = [quiet.option, noColor.option, configuration.option]
}
