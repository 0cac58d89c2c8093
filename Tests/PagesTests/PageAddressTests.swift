import Markup
import Testing

@testable import Pages

struct `An address of a page` {
  @Test(arguments: [
    "https://evil.example/", "//evil.example", "/\\evil.example", "/a b", "", "javascript:alert(1)",
    "campaigns",
    "/a\u{0}", "/a\r\nb", "/é", "/a#b",
  ]) func `An address of a page that a form sends back never leads elsewhere`(text: String) {
    #expect(PageAddress(local: text) == nil)
  }

  @Test func `An address of a page reads back as it was written, whatever its values are`() throws {
    let value = "a&b=c d+é%\u{202E}\"<"
    let address = PageAddress("/campaigns", [("find", value), ("sort", "-installs"), ("find", "2")])
    let read = try #require(PageAddress(local: address.text))
    #expect(read == address)
    #expect(read["find"] == [value, "2"])
    #expect(read.with("find", "x").text == "/campaigns?sort=-installs&find=x")
    #expect(read.without(["find"]).text == "/campaigns?sort=-installs")
  }

  @Test func `An address of a page has no path that leads to another site`() {
    #expect(PageAddress("/a\"><script>").text == "/a%22%3E%3Cscript%3E")
  }

  @Test func `An address of a page is not read from a broken form`() {
    #expect(FormBody(Array("a=%2".utf8)) == nil)
    #expect(FormBody(Array("a=%zz".utf8)) == nil)
    #expect(FormBody([0x61, 0x3D, 0xFF]) == nil)
    let form = FormBody(Array("a=1+2&b=%26&a=3&c".utf8))
    #expect(form?["a"] == "1 2")
    #expect(form?.values("a") == ["1 2", "3"])
    #expect(form?["b"] == "&")
    #expect(form?["c"] == "")
    #expect(form?["d"] == nil)
  }
}

struct `The texts of pages` {
  @Test func `The texts of pages choose the form by number and escape what is put into them`() {
    let texts = Texts(.english)
    #expect(texts.frameDaysAgo(count: 1).text == "1 day ago")
    #expect(texts.frameDaysAgo(count: 1200).text == "1,200 days ago")
    #expect(texts.frameSignedIn(name: "\("<b>")").text == "Signed in as &lt;b&gt;")
  }

  @Test func `The texts of pages have pseudo-languages that are longer, and mirrored`() {
    let accented = Texts(.accented).campaignsTitle.text
    #expect(accented.hasPrefix("⟦Çàɱþàĩĝñš") || accented.hasPrefix("⟦Ç"))
    #expect(accented.count > "Campaigns".count * 4 / 3)
    #expect(Texts(.mirrored).campaignsTitle.text == "&#x202E;Campaigns&#x202C;")
    #expect(Language.mirrored.direction == "rtl")
    #expect(Language.chosen(query: nil, cookie: "en-XB", accepted: "de, en;q=0.5") == .mirrored)
    #expect(Language.chosen(query: "nonsense", cookie: nil, accepted: "fr") == .english)
  }
}
