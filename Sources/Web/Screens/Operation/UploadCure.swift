import Markup
import Pages

/// What to do about a mistake in a file, on its page.
struct UploadCure {
  private let code: String
  private let texts: Texts

  init(_ code: String, _ texts: Texts) { (self.code, self.texts) = (code, texts) }

  /// Whether the mistake is of the whole file, whatever line it names.
  var isOfFile: Bool {
    ["no-app", "no-mapping", "no-event", "empty-column", "missing-column"].contains(code)
  }

  /// For a mistake in a row.
  var row: HTML {
    switch code {
    case "invalid-date", "invalid-from", "invalid-to", "no-midnight-date", "no-midnight-from",
      "no-midnight-to":
      texts.dataCureDates
    case "missing-network", "missing-currency", "missing-app": texts.dataCureValue
    default: texts.dataCureRow
    }
  }

  /// For a mistake in the whole file.
  var column: HTML {
    switch code {
    case "empty-column", "missing-column", "missing-filter", "missing-key": texts.dataCureColumn
    case "no-app": texts.dataCureApp
    case "no-mapping": texts.dataCureMapping
    default: texts.dataCureFile
    }
  }
}
