import JSONText
import Values

extension PullRequest {
  private static let form = JSONForm(
    "a request", required: ["url"], optional: ["headers", "json", "form", "basic"])
  private static let basicForm = JSONForm("the pair", required: ["user", "password"], optional: [])

  /// - Parameter bytes: The whole document, of which a body of JSON is a part.
  fileprivate init(_ place: JSONPlace, _ bytes: [UInt8]) throws(JSONProblem) {
    let members = try place.members(Self.form)
    url = try members.required("url").pullAddress()
    headers = try members["headers"]?.pullHeaders() ?? []
    basic = try members["basic"].map { (place) throws(JSONProblem) in
      let pair = try place.members(Self.basicForm)
      return (
        user: try pair.required("user").pullTemplate(),
        password: try pair.required("password").pullTemplate(isSecret: true)
      )
    }
    if basic != nil, headers.contains(where: { $0.name.lowercased() == "authorization" }) {
      throw try members.required("basic").mistake("is what the header Authorization sends too")
    }
    switch (members["json"], members["form"]) {
    case (nil, nil): body = nil
    case (let json?, nil):
      let text = json.node.value.string ?? String(decoding: bytes[json.node.range], as: UTF8.self)
      body = .json(try PullTemplate(text, at: json))
    case (nil, let form?):
      var fields: [(name: String, value: PullTemplate)] = []
      for (name, value) in try form.members() where name != "comment" {
        fields.append((name, try value.pullTemplate()))
      }
      body = .form(fields)
    case (_, let form?): throw form.mistake("is a second body beside \"json\"")
    }
  }

  private init(_ request: Self, headers: [(name: String, value: PullTemplate)]) {
    (url, body, basic, self.headers) = (request.url, request.body, request.basic, headers)
  }

  /// The request with the token in the header of RFC 6750, where it is nowhere yet.
  var withToken: Self {
    guard !values.contains(.token) else { return self }
    return Self(
      self, headers: headers + [("Authorization", PullTemplate([.text("Bearer "), .value(.token)]))])
  }
}

extension Pull {
  private static let oauthForm = JSONForm(
    "OAuth", required: ["url", "client-id", "client-secret", "refresh-token"], optional: ["scope"])
  private static let signInForm = JSONForm("a sign-in", required: ["request"], optional: ["token"])
  private static let reportForm = JSONForm(
    "a report", required: ["order", "id", "status", "state", "done"], optional: ["failed"])

  static func signIn(_ members: JSONMembers, _ bytes: [UInt8]) throws(JSONProblem) -> SignIn? {
    guard let place = members["oauth"] else {
      guard let form = try members["sign-in"]?.members(signInForm) else { return nil }
      return SignIn(
        request: try form.required("request").pullRequest(bytes, allowing: [], needing: []),
        token: try form["token"]?.text())
    }
    if let other = members["sign-in"] { throw other.mistake("is a second sign-in beside \"oauth\"") }
    let form = try place.members(oauthForm)
    // Source: RFC 6749, section 6.
    var fields: [(name: String, value: PullTemplate)] = [
      ("grant_type", PullTemplate([.text("refresh_token")])),
      ("client_id", try form.required("client-id").pullTemplate()),
      ("client_secret", try form.required("client-secret").pullTemplate(isSecret: true)),
      ("refresh_token", try form.required("refresh-token").pullTemplate(isSecret: true)),
    ]
    if let scope = form["scope"] { fields.append(("scope", try scope.pullTemplate())) }
    return SignIn(
      request: PullRequest(
        url: try form.required("url").pullAddress(), headers: [], body: .form(fields), basic: nil),
      token: "access_token")
  }

  static func report(
    _ place: JSONPlace, _ bytes: [UInt8], hasToken: Bool
  ) throws(JSONProblem) -> Report {
    let form = try place.members(reportForm)
    let token: Set<PullTemplate.Value> = hasToken ? [.token] : []
    var states: [[String]] = []
    for name in ["done", "failed"] {
      var texts: [String] = []
      for text in try form[name]?.list() ?? [] { texts.append(try text.text()) }
      states.append(texts)
    }
    return Report(
      order: try form.required("order").pullRequest(
        bytes, allowing: token.union([.from, .to]), needing: []),
      id: try form.required("id").text(),
      status: try form.required("status").pullRequest(bytes, allowing: token.union([.id]), needing: [.id]),
      state: try form.required("state").text(), done: states[0], failed: states[1])
  }
}

extension JSONPlace {
  func pullRequest(
    _ bytes: [UInt8], allowing allowed: Set<PullTemplate.Value>, needing needed: Set<PullTemplate.Value>
  ) throws(JSONProblem) -> PullRequest {
    let request = try PullRequest(self, bytes)
    let values = request.values
    if let value = values.subtracting(allowed).map(\.rawValue).min() {
      throw mistake("has {\(value)}, which has no value here")
    }
    if let value = needed.subtracting(values).map(\.rawValue).min() {
      throw mistake("has no {\(value)}", cure: "Write it where the source expects it.")
    }
    return request
  }

  /// A text with places; a secret one has a place of a secret, so that the document itself is none.
  func pullTemplate(isSecret: Bool = false) throws(JSONProblem) -> PullTemplate {
    let template = try PullTemplate(try text(), at: self)
    if isSecret, template.secrets.isEmpty, !template.values.contains(.token) {
      throw mistake("is a secret in the document", cure: "Write ${env:NAME} or ${file:PATH}.")
    }
    return template
  }

  /// An address whose protocol and host are in the document, so that no answer or secret decides where secrets go.
  func pullAddress() throws(JSONProblem) -> PullTemplate {
    let template = try pullTemplate()
    let beginning = template.beginning
    guard let address = PullAddress(beginning) else {
      throw mistake("must be an address with https:// and a host, both written out")
    }
    let path = beginning.drop { $0 != ":" }.dropFirst(3).drop { $0 != "/" && $0 != "?" }
    guard template.pieces.count == 1 || !path.isEmpty else {
      throw mistake("has a place within its host", cure: "Write the host out, with \"/\" behind it.")
    }
    guard address.isSafe else {
      throw mistake("is an address without TLS", cure: "Use https://; http:// only reaches this machine.")
    }
    return template
  }

  fileprivate func pullHeaders() throws(JSONProblem) -> [(name: String, value: PullTemplate)] {
    var headers: [(name: String, value: PullTemplate)] = []
    for (name, place) in try members() where name != "comment" {
      guard !name.isEmpty, name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ":") })
      else { throw place.mistake("has a name that is none of a header") }
      guard !headers.contains(where: { $0.name.lowercased() == name.lowercased() }) else {
        throw place.mistake("is the name of an earlier header too")
      }
      headers.append((name, try place.pullTemplate(isSecret: name.lowercased() == "authorization")))
    }
    return headers
  }
}
