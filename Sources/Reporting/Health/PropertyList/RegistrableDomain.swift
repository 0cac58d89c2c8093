/// Which part of a domain its owner registered, which is all that devices use of an address.
///
/// The whole truth is in the Public Suffix List, which devices have; so what is found here is only probable.
enum RegistrableDomain {
  /// The usual second levels of countries, such as `co.uk`.
  private static let secondLevels: Set<String> = [
    "co", "com", "net", "org", "ac", "gov", "edu", "ne", "or", "go",
  ]

  /// Domains of hosts, below which each customer has a domain of its own.
  ///
  /// Source: Public Suffix List of 2026-08-19, private part.
  private static let hosts: Set<String> = [
    "amplifyapp.com", "appspot.com", "azure-api.net", "azureedge.net", "azurefd.net", "azurestaticapps.net",
    "azurewebsites.net", "cleverapps.io", "cloudapp.net", "cloudfront.net", "cloudfunctions.net", "deno.dev",
    "duckdns.org", "elasticbeanstalk.com", "firebaseapp.com", "fly.dev", "github.io", "gitlab.io",
    "herokuapp.com", "netlify.app", "ngrok-free.app", "ngrok-free.dev", "ngrok.app", "ngrok.dev", "ngrok.io",
    "now.sh", "ondigitalocean.app", "onrender.com", "pages.dev", "repl.co", "replit.app", "replit.dev",
    "supabase.co", "trafficmanager.net", "trycloudflare.com", "ts.net", "up.railway.app", "vercel.app",
    "vercel.dev", "web.app", "workers.dev",
  ]

  /// Domains of hosts below each part of which each customer has a domain of its own, such as `a.run.app`.
  private static let parentsOfHosts: Set<String> = [
    "awsapprunner.com", "azurecontainer.io", "code.run", "r.appspot.com", "run.app",
  ]

  /// The last two labels of a host in lower case, or one more below a second level or a host; `nil` where there are no more.
  static func probable(of host: String) -> String? {
    let labels = host.split(separator: ".")
    func suffix(_ count: Int) -> String { labels.suffix(count).joined(separator: ".") }
    guard labels.count > 2, let last = labels.last else { return nil }
    if parentsOfHosts.contains(suffix(2)) || parentsOfHosts.contains(suffix(3)) {
      return suffix(parentsOfHosts.contains(suffix(3)) ? 5 : 4)
    }
    if hosts.contains(suffix(3)) { return suffix(4) }
    let isBelow =
      hosts.contains(suffix(2)) || last.count == 2 && secondLevels.contains(String(labels[labels.count - 2]))
    return suffix(isBelow ? 3 : 2)
  }
}
