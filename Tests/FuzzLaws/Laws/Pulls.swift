import JSONText
import Pulls
import Values

extension FuzzTarget {
  /// Pull documents: a mistake has a place, and what can be read sends secrets over TLS or to this machine only.
  static let pull = FuzzTarget("pull", dictionary: jsonWords + pullWords) { bytes in
    let found = Result { () throws(JSONFileError) in try Pull(bytes, named: "p.json") }
    switch found {
    case .success(let pull):
      try law(!pull.addresses.isEmpty, "a pull asks somebody")
      for address in pull.addresses {
        let isLocal = ["http://127.", "http://localhost", "http://[::1]"].contains { begins in
          address.lowercased().hasPrefix(begins)
        }
        try law(address.hasPrefix("https://") || isLocal, "secrets go over TLS, found \(address)")
      }
    case .failure(let error): try law(!error.problem.isEmpty, "a mistake has words")
    }
  }

  private static let pullWords = [
    "pull", "request", "url", "https://", "http://127.0.0.1/", "headers", "Authorization", "${env:A}",
    "${file:b}",
    "{from}", "{to}", "{page}", "{cursor}", "{token}", "{id}", "pages", "next", "number-from", "rows",
    "postbacks",
    "profile", "file:unity", "oauth", "sign-in", "report", "days", "limits", "basic", "json", "form",
  ]
}
