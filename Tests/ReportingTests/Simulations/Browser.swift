import Foundation
import TestSupport
import Testing

/// How a browser lays out a page at one width.
struct Rendering {
  /// The width of the window.
  let width: Int
  /// How much wider than the window the page is.
  let overflow: Int
  /// The drawings that are shown.
  let drawings: Int
  /// Texts of drawings that reach beyond their drawing, or lie on one another.
  let misplaced: [String]
  /// Boxes that cut off what they hold and that the keyboard can't reach or that have no name.
  let hidden: [String]
  /// What scripts and loading complained of.
  let errors: [String]
}

/// A browser without a screen.
enum Browser {
  private static let path = "/usr/bin/chromium"

  /// Is put into a copy of the page: the page itself has no script.
  private static let probe = #"""
    <script>
    const errors = [];
    addEventListener("error", e => errors.push(String(e.message || e.target.tagName)), true);
    addEventListener("securitypolicyviolation", e => errors.push(e.violatedDirective), true);
    addEventListener("load", () => {
      const misplaced = [];
      let drawings = 0;
      // A plot is several drawings, some in others; what is written in it may reach into the margin of its panel.
      for (const drawing of document.querySelectorAll(".plot, svg")) {
        if (drawing.parentElement.closest(".plot, svg") || getComputedStyle(drawing).display === "none" || drawing.ariaHidden) continue;
        drawings += 1;
        const view = (drawing.matches(".plot") ? drawing.closest("section") : drawing).getBoundingClientRect();
        const texts = [...drawing.querySelectorAll("text")].map(t => [t.textContent, t.getBoundingClientRect()])
          .filter(([, a]) => a.width > 0);
        texts.forEach(([text, a], index) => {
          if (a.left < view.left - 0.5 || a.top < view.top - 0.5 || a.right > view.right + 0.5 || a.bottom > view.bottom + 0.5)
            misplaced.push("outside: " + text);
          for (const [other, b] of texts.slice(index + 1))
            if (a.left + 1 < b.right && b.left + 1 < a.right && a.top + 3 < b.bottom && b.top + 3 < a.bottom)
              misplaced.push("overlapping: " + text + " / " + other);
        });
      }
      const hidden = [];
      for (const box of document.querySelectorAll("body *")) {
        const style = getComputedStyle(box);
        if (style.overflowX === "visible" || box.ownerSVGElement || style.clipPath !== "none") continue;
        const wide = box.scrollWidth > box.clientWidth + 1, high = box.scrollHeight > box.clientHeight + 1;
        const name = box.getAttribute("aria-label") || box.tagName;
        if ((wide || high) && (box.tabIndex !== 0 || box.getAttribute("role") !== "group" || style.overflowX !== "auto"
          || !box.getAttribute("aria-label"))) hidden.push(name);
      }
      const root = document.documentElement;
      parent.postMessage({ width: innerWidth, overflow: root.scrollWidth - root.clientWidth, drawings, misplaced, hidden, errors }, "*");
    });
    </script>
    """#

  /// Renders a page at some widths and returns what was seen, in the order of the widths.
  static func render(_ page: String, widths: [Int]) throws -> [Rendering] {
    guard FileManager.default.isExecutableFile(atPath: path) else {
      Issue.record("\(path) is missing; tools/setup --test installs it")
      return []
    }
    let folder = try TemporaryFolder()
    let opened = page.replacing(
      "default-src 'none'; style-src 'unsafe-inline'",
      with: "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'")
    try folder.write(
      opened.replacing("<title>", with: probe + "<title>", maxReplacements: 1), to: "page.html")
    // A window of a browser has a least width, a frame has none.
    let frames = widths.map {
      "<iframe src='page.html' style='border:0;height:900px;width:\($0)px'></iframe>"
    }
    try folder.write(
      """
      <!DOCTYPE html><meta charset="utf-8"><script>
      const seen = [];
      addEventListener("message", message => {
        seen.push(message.data);
        if (seen.length === \(widths.count)) document.body.innerHTML = "<pre></pre>";
        if (seen.length === \(widths.count)) document.querySelector("pre").textContent = "@@" + JSON.stringify(seen) + "@@";
      });
      </script><body>\(frames.joined())</body>
      """, to: "frames.html")
    let result = try Subprocess.run(
      path,
      [
        "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1400,1000",
        "--user-data-dir=\(folder.file("profile"))", "--virtual-time-budget=10000", "--dump-dom",
        "file://\(folder.file("frames.html"))",
      ])
    let parts = result.output.components(separatedBy: "@@")
    try #require(parts.count >= 3, "the browser said nothing: \(result.errors.suffix(500))")
    let text = parts[parts.count - 2].replacing("&lt;", with: "<").replacing("&gt;", with: ">")
      .replacing("&amp;", with: "&")
    let seen = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
    return try widths.map { width in
      let one = try #require(seen.first { $0["width"] as? Int == width }, "no frame was \(width) wide")
      return Rendering(
        width: width, overflow: try #require(one["overflow"] as? Int),
        drawings: try #require(one["drawings"] as? Int),
        misplaced: try #require(one["misplaced"] as? [String]),
        hidden: try #require(one["hidden"] as? [String]),
        errors: try #require(one["errors"] as? [String]))
    }
  }
}
