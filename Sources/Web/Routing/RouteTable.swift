/// All routes of an address, found by path.
package struct RouteTable: Sendable {
  private struct Pattern: Sendable {
    let prefix: String
    /// What follows the name; where that is nothing, the name may have slashes.
    let suffix: String
    let route: HTTPRoute

    init?(_ route: HTTPRoute) {
      guard let start = route.path.firstIndex(of: "{"), let end = route.path.firstIndex(of: "}") else {
        return nil
      }
      prefix = String(route.path[..<start])
      suffix = String(route.path[route.path.index(after: end)...])
      self.route = route
    }

    func name(in path: String) -> String? {
      guard path.hasPrefix(prefix), path.hasSuffix(suffix),
        path.utf8.count > prefix.utf8.count + suffix.utf8.count
      else { return nil }
      let name = path.dropFirst(prefix.count).dropLast(suffix.count)
      return suffix.isEmpty || !name.contains("/") ? String(name) : nil
    }
  }

  /// The routes without a name in their path, with and without a slash behind it.
  private let plain: [String: HTTPRoute]
  private let patterns: [Pattern]

  package init(_ routes: [HTTPRoute]) {
    patterns = routes.compactMap { Pattern($0) }
    plain = Dictionary(
      routes.filter { !$0.path.contains("{") }.flatMap { [($0.path, $0), ($0.path + "/", $0)] },
      uniquingKeysWith: { first, _ in first })
  }

  /// The route of a request's path and the name that the path has for its braces; `nil` where there is none.
  package func route(of target: String) -> (route: HTTPRoute, name: String)? {
    let whole = Self.withoutAuthority(target)
    if let route = plain[whole] { return (route, "") }
    let path = Self.withoutTrailingSlash(whole)
    for pattern in patterns {
      if let name = pattern.name(in: path) { return (pattern.route, name) }
    }
    return nil
  }

  /// Takes scheme and host off a target in absolute form, which a server has to accept; RFC 9112, section 3.2.2.
  private static func withoutAuthority(_ target: String) -> String {
    // Nearly every target is a path, which two other looks would only delay.
    if target.utf8.first == UInt8(ascii: "/") { return target }
    guard target.hasPrefix("http://") || target.hasPrefix("https://") else { return target }
    let parts = target.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    return parts.count == 4 ? "/" + parts[3] : "/"
  }

  private static func withoutTrailingSlash(_ path: String) -> String {
    path.utf8.count > 1 && path.utf8.last == UInt8(ascii: "/") ? String(path.dropLast()) : path
  }
}
