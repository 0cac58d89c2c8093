import Ledger
import Markup
import Pages
import Postbacks
import Values

/// The form that gives apps their names: it makes rows of the import of names, which are shown and confirmed like a file.
enum AppNamesForm {
  /// What a field begins with, before the App Store number.
  private static let prefix = "name-"
  /// Apps that the form has at most; more are named by a file.
  private static let mostApps = 100

  /// - Returns: Nothing where no app is known.
  static func markup(_ context: ScreenContext) throws -> HTML {
    let texts = context.texts
    let apps = try apps(context).prefix(mostApps)
    guard !apps.isEmpty else { return "" }
    let fields = apps.map { app -> HTML in
      let name = context.called.name(ofApp: "\(app.number)")
      return Panel.field(
        "\(prefix)\("\(app.number)" as String)", "\(prefix)\(app.number)",
        "<bdi>\("\(app.number)" as String)</bdi>", name ?? "", more: " size=\"24\" maxlength=\"200\"")
    }
    return Panel.section(
      "apps", texts.dataNameApps, note: texts.dataNameAppsNote,
      """
      <form class="stack" method="post" action="\(DataPlace.path(of: "names"))">\(context.formToken)\
      <div class="row">\(fields.joined())</div>\
      <div class="row"><button class="btn" name="do" value="name-apps">\(texts.dataPreview)</button></div></form>
      """)
  }

  /// Rows of the names that differ from today's; nothing where none does.
  static func rows(_ form: FormBody, _ context: ScreenContext) throws -> String {
    let lines = try apps(context).compactMap { app -> String? in
      let number = "\(app.number)"
      let name = (form[prefix + number] ?? "").split(whereSeparator: \.isNewline).joined(separator: " ")
      guard name.contains(where: { !$0.isWhitespace }), name != context.called.name(ofApp: number) else {
        return nil
      }
      return "\(number),\(context.now.day),\"\(name.replacing("\"", with: "\"\""))\"\n"
    }
    return lines.isEmpty ? "" : "app,from,name\n" + lines.joined()
  }

  /// The apps that have postbacks or mappings.
  private static func apps(_ context: ScreenContext) throws -> [AppID] {
    let received = try Environment.allCases.flatMap { try context.reader.apps(in: $0) }
    let mapped = try context.reader.mappings().map(\.app)
    return Set(received + mapped).sorted { $0.number < $1.number }
  }
}
