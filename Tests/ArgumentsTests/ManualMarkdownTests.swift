import Arguments
import Testing

@Suite struct `A Markdown document` {
  @Test func `A Markdown document becomes a manual page with headings, paragraphs, lists, tables and blocks`()
  {
    #expect(
      roff(
        """
        A [link](https://example.org/a-b) and `some code`,
        on two lines.

        <!-- a comment -->
        - an item
          of two lines
        - another [0, 20) one

        ### Members

        | member | value | meaning |
        |---|---|---|
        | `name` | text | Required. |
        | `either` | a \\| b |  |

        | code | meaning |
        |---|---|
        | `0` | done |

        ```json
        .a line that begins with a dot
        { "a": 1 }
        ```
        """) == """
          A link and \\fBsome code\\fR, on two lines.
          .IP \\(bu 2
          an item of two lines
          .IP \\(bu 2
          another [0, 20) one
          .SH MEMBERS
          .TP
          \\fBname\\fR (text)
          Required.
          .TP
          \\fBeither\\fR (a | b)
          .TP
          \\fB0\\fR
          done
          .PP
          .RS 4
          .nf
          \\&.a line that begins with a dot
          { \\(dqa\\(dq: 1 }
          .fi
          .RE

          """)
  }

  @Test(arguments: ["", "|", "| |", "```", "### ", "- ", "[a](b", "a ` b", "<!-- "])
  func `A Markdown document with any line becomes a manual page`(line: String) {
    let text = roff(line + "\n" + line)
    #expect(text.isEmpty || text.hasSuffix("\n"))
    #expect(text.utf8.allSatisfy { $0 < 0x80 })
  }

  private func roff(_ document: String) -> String {
    var page = ManualPage()
    page.markdown(document.split(separator: "\n", omittingEmptySubsequences: false))
    return page.text
  }
}
