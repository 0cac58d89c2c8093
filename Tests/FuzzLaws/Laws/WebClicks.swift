import JSONText
import Postbacks

extension FuzzTarget {
  /// Reports of Private Click Measurement: numbers in range, names that are names, and one meaning however written.
  static let webClick = FuzzTarget("web-click", dictionary: jsonWords + webClickWords) { bytes in
    let reading = Result { () throws(PostbackDefect) in try WebClick(bytes) }
    switch reading {
    case .failure(let defect):
      try law(PostbackDefect.codes.contains(defect.code), "a defect has a known code")
    case .success(let click):
      try law(
        (0...255).contains(click.sourceID) && (0...15).contains(click.triggerData) && click.version > 0,
        "numbers are in range: \(click)")
      for site in [click.sourceSite, click.destinationSite] {
        try law(WebSite(site.text) == site, "a site reads as itself: \(site)")
      }
      let again = JSONOutput(try JSONReader.read(bytes).value).bytes()
      try law(
        try WebClick(again) == click || again.count > WebClick.byteLimit,
        "a report that is written anew reads alike")
    }
  }

  private static let webClickWords = [
    "source_engagement_type", "click", "source_site", "source_id", "attributed_on_site", "trigger_data",
    "version", "source_secret_token", "source_secret_token_signature", "destination_secret_token",
    "destination_secret_token_signature", "255", "16", "news.example",
  ]
}
