import Alerts
import Arguments
import Campaigns
import Explanations
import JSONText
import MappingLibrary
import Reports
import Tables

/// All that can be read: the reports of the command line under their names there, and single things.
package let readResources: [ReadResource] =
  [
    ReadResource(ReportKind(AlertListing.self)) { $0.alerts },
    ReadResource(
      path: "/v1/apps/{app}/mapping", words: AppMappingQuestion.words, formats: [.json], readers: .apps,
      missing: "This app has no mapping in force."
    ) { question throws(ParameterError) in
      let asked = try AppMappingQuestion(app: question.identifier, at: question.words["at"])
      return { context in
        // Apps ask in great number, and versions change seldom.
        let catalog = try context.shared("mappings", forSeconds: 2) {
          try MappingCatalog(from: context.reader)
        }
        guard let answer = asked.answer(from: catalog, at: context.now) else { return nil }
        if asked.isForNow { context.noteMapping(answer.app, answer.effectiveFrom, answer.digest) }
        return ReadResource.Answer(
          text: answer.text,
          freshness: ReadResource.Freshness(seconds: answer.freshSeconds, lastModified: answer.lastModified))
      }
    },
    ReadResource(
      path: "/v1/postbacks/{id}", words: [], formats: [.json],
      missing: "The database has no postback with this identifier."
    ) {
      question throws(ParameterError) in
      {
        let found = try Explanation(of: question.identifier, from: $0.reader, keyring: $0.keyring)
        return found.isEmpty ? nil : ReadResource.Answer(text: found.json.text(pretty: true) + "\n")
      }
    },
  ]
  + (reports + listings).map { kind in
    ReadResource(kind) { ReportSource(reader: $0.reader, now: $0.now, keeper: $0.keeper) }
  }
