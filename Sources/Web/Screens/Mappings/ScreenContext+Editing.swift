import Ledger
import MappingEditing
import Mappings
import Markup
import Pages
import Postbacks
import System
import Values

extension ScreenContext {
  /// Who edits, for logs; a page without a sign-in has no names.
  var author: String { viewerName.isEmpty ? "this machine" : viewerName }

  func draft(_ number: Int?) throws -> StoredDraft? {
    try number.flatMap { try reader.mappingDraft(Int64($0)) }
  }

  func publisher() throws -> MappingPublisher {
    MappingPublisher(changes, folder: try mappings.map { try Folder($0) })
  }
}

extension MappingPublisher.Outcome {
  /// Why nothing was published, for people.
  func sentence(_ texts: Texts) -> HTML {
    func broken(_ reason: HTML) -> HTML { texts.publishRefused(reason: "<bdi>\(reason)</bdi>") }
    return switch self {
    case .published: ""
    case .outdated: texts.publishOutdatedTitle
    case .stale(let draft): texts.editorStaleTitle(name: "<bdi>\(draft.savedBy)</bdi>")
    case .dateTaken: texts.publishTaken
    case .missing: texts.editorGoneTitle
    case .broken(let findings): broken(texts.say(findings.first?.sentence ?? Sentence("it has errors")))
    case .otherApp(let app):
      broken(texts.say(Sentence("the document is for app \(code: app.number)")))
    case .notLoaded(let reason, _): broken(texts.say(phrase: reason))
    }
  }
}
