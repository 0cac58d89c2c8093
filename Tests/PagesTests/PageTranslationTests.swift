import Pages
import Testing

struct `Pages from below in another language` {
  private let page = """
    <!DOCTYPE html>
    <html lang="en"><head><title>Spring: what reports will show</title><style>p { color: red }</style></head>
    <body><h2 title="Every day">The 64 values</h2><p>Devices would send 1,300 postbacks, 25.6 % of them without a
    value. Compare several models.</p><p>Run <code>skan backup</code>, and find out why the scheduled copy did not run.</p>
    <bdi>Every day</bdi></body></html>
    """

  @Test func `Texts and labels of a page are translated, and names, code and styles are not`() {
    let shown = PageTranslation(.accented).page(page)
    #expect(shown.contains("<html lang=\"en-XA\" dir=\"ltr\">"))
    #expect(shown.contains("<style>p { color: red }</style>") && shown.contains("<bdi>Every day</bdi>"))
    #expect(shown.contains("<code>skan backup</code>") && shown.contains("1,300"))
    for word in ["reports", "values", "Devices", "without", "models", "scheduled"] {
      #expect(!shown.contains(word), "\(word) is left in \(shown)")
    }
    #expect(!shown.contains("title=\"Every day\""))
  }

  @Test func `An English page stays as it is, and a page in Arabic is from right to left`() {
    #expect(PageTranslation(.english).page(page) == page)
    #expect(PageTranslation(.arabic).page(page).contains("<html lang=\"ar\" dir=\"rtl\">"))
  }

  @Test func `A sentence for a notice is plain text`() {
    let sentence = "The mapping file 'a<b>.json' is rejected since 2026-11-21T10:00:00Z: it has errors."
    #expect(PageTranslation(.english).sentence(sentence) == sentence)
    let shown = PageTranslation(.accented).sentence(sentence)
    #expect(shown.contains("'a<b>.json'") && !shown.contains("&") && !shown.contains("rejected"))
  }
}
