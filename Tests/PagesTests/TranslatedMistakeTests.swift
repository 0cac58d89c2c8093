import Testing
import Values

struct `Mistakes in the language of a page` {
  private let now = Instant("2026-11-24T10:00:00Z") ?? Instant(seconds: 0)

  @Test func `A mistake in an address is translated, and the text of the address in it stays`() throws {
    let answer = try OpenSite(at: now).answer("/postbacks?lang=de&outcome=no%20postbacks&window=9")
    #expect(answer.status == 400)
    #expect(answer.text.contains("gefunden: „9“; erwartet: eine ganze Zahl von 1 bis 3."), "\(answer.text)")
    let named = try OpenSite(at: now).answer("/postbacks?lang=de&outcome=no%20postbacks")
    #expect(named.text.contains("gefunden: „no postbacks“; erwartet: install, "), "\(named.text)")
  }

  @Test func `The verdict on a pasted body is translated, and its code and members stay`() throws {
    let answer = try OpenSite(at: now).post(
      "/postbacks/check?lang=de", [("body", "{\"version\":\"1.0\",\"did-win\":1}")])
    let sentence = "missing-member: &quot;ad-network-id&quot; ist erforderlich, fehlt aber"
    #expect(answer.text.replacing("\"ad-network-id\"", with: "&quot;ad-network-id&quot;").contains(sentence))
  }

  @Test func `An import is reported in the language of the page, mistakes and counts alike`() throws {
    let site = try OpenSite(at: now)
    func preview(_ text: String) throws -> (address: String, page: String) {
      let sent = try site.post("/data/spend?lang=de", [("do", "preview"), ("text", text)])
      let address = try #require(sent.header("Location")) + "&lang=de"
      return (address, try site.page(address))
    }
    let header = "date,network,campaign,amount,currency\n"
    let mistaken = try preview(header + "no rule,acme,1,1,USD\n2026-11-20,acme,1,-1,USD\n").page
    #expect(mistaken.contains("Datum „no rule“ ist kein Datum wie 2026-11-21"))
    #expect(!mistaken.contains("the amount is below zero"))
    let (address, right) = try preview(header + "2026-11-20,acme,1,1,USD\n2026-11-21,acme,1,1,USD\n")
    let upload = try #require(address.firstMatch(of: /upload=([^&]*)/)).output.1
    let expected = try #require(right.firstMatch(of: /name="expected" value="([^"]*)"/)).output.1
    let stored = try site.post(
      address, [("do", "import"), ("upload", String(upload)), ("expected", String(expected))])
    #expect(stored.text.contains("2 Zeilen mit Ausgaben gespeichert: 2 neu"), "\(stored.text)")
  }
}
