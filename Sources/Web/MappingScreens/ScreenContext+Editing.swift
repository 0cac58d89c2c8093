import Markup
import MappingDrafts
import MappingTrial
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

/// The desks of this program, by the folder of samples: their memory outlives a request.
enum TrialDesks {
  private static let none = TrialDesk(folder: nil)
  private static let shared = DeskCache()

  /// The desk of a folder.
  static func desk(_ folder: String?) -> TrialDesk { folder.map { shared.desk($0) } ?? none }
}
