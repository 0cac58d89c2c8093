import Alerts
import Arguments
import Explanations
import JSONText
package import ReadRoutes
import Reporting
import Tables

/// All that can be read: the reports of the command line under their names there, and single things.
package let readResources: [ReadResource] =
  [
    ReadResource(ReportKind(AlertListing.self)) { $0.alerts },
    ReadResource(path: "/v1/postbacks/{id}", words: [], formats: [.json]) {
      question throws(ParameterError) in
      {
        let found = try Explanation(of: question.identifier, from: $0.reader, keyring: $0.keyring)
        return found.isEmpty ? nil : ReadResource.Answer(text: found.json.text(pretty: true) + "\n")
      }
    },
  ]
  + (reports + listings).map { kind in
    ReadResource(kind) { ReportSource(reader: $0.reader, now: $0.now) }
  }
