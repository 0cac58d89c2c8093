import Markup
import MappingLibrary
import Pages

extension ScreenContext {
  /// Who edits, for logs; a page without a sign-in has no names.
  var author: String { viewerName.isEmpty ? "this machine" : viewerName }
}

extension MappingPublisher.Ending {
  /// Why nothing was published, for people.
  func sentence(_ texts: Texts) -> HTML {
    switch self {
    case .published: ""
    case .outdated: texts.publishOutdatedTitle
    case .stale(let name): texts.editorStaleTitle(name: "<bdi>\(name)</bdi>")
    case .dateTaken: texts.publishTaken
    case .missing: texts.editorGoneTitle
    case .broken(let reason): texts.publishRefused(reason: "<bdi>\(reason)</bdi>")
    }
  }
}
