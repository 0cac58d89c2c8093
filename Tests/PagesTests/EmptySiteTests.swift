import Screens
import Testing
import Values

struct `Pages of an empty database` {
  private let now = Instant("2026-11-24T10:00:00Z") ?? Instant(seconds: 0)

  @Test func `Every page of an empty database shows words, and no text of the program`() throws {
    let site = try OpenSite(at: now)
    for screen in allScreens {
      let path = screen.path.replacing("{kind}", with: "spend").replacing("{id}", with: "nothing")
        .replacing("{link}", with: "nothing")
      let page = try site.page(path)
      for text in ["HTML(", "Optional(", "text:", "&lt;section", "&lt;bdi"] {
        #expect(!page.contains(text), "\(path) has \(text)")
      }
    }
  }

  @Test func `What was typed for the app of a new mapping stays after an error`() throws {
    let site = try OpenSite(at: now)
    let page = try site.post("/mappings", [("do", "begin"), ("app", "My <game>"), ("version", "")])
    #expect(
      page.text.contains(#"id="b-app" name="app" value="My &lt;game&gt;""#)
        || page.text.contains("My &lt;game"), "\(page.text)")
  }

  @Test func `A mapping can be begun and imported although there is none`() throws {
    let page = try OpenSite(at: now).page("/mappings")
    #expect(page.contains(#"name="do" value="begin""#))
    #expect(page.contains(#"name="do" value="import""#))
    #expect(page.contains(#"<input type="hidden" name="form-token""#))
  }
}
