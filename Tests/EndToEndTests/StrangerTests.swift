import Foundation
import JSONText
import OpenSSL
import SQLite
import TestSupport
import Testing
import Values

private let token = "forward-0123456789"
private let secret = "0123456789abcdef0123456789abcdef"
private let forwardPath = "/v1/networks/acme/postbacks"

/// The code of a problem document.
private func code(_ answer: HTTPAnswer) throws -> String? {
  try JSONReader.read(answer.body).value.object?["code"]?.value.string
}

@Suite(.serialized) final class `A daemon on the internet` {
  private let folder: TemporaryFolder
  private let keys: TestKeys

  init() throws {
    let folder = try TemporaryFolder()
    keys = try TestKeys(in: folder)
    self.folder = folder
  }

  private func daemon(_ configuration: String, _ arguments: [String] = []) throws -> Daemon {
    let config = try folder.write(configuration, to: "skan.json")
    return try Daemon(
      folder.file("skan.db"), ["--config", config, "--trust-test-keys", keys.publicFile] + arguments)
  }

  private func figure(_ daemon: Daemon, _ name: String) throws -> String? {
    try daemon.get("/metrics").text.split(separator: "\n").first { $0.hasPrefix(name + " ") }
      .map { String($0.dropFirst(name.count + 1)) }
  }

  @Test func `A daemon answers 429 to a client that sends too much, for some time, and 200 to all others`()
    throws
  {
    let daemon = try daemon(
      #"{"trusted-proxies":["127.0.0.1"],"limits":{"requests-per-second":1,"burst":3}}"#)
    let bodies = try keys.postbacks(6, seed: 1)
    let client = try daemon.client()
    func post(_ body: [UInt8], from address: String) throws -> HTTPAnswer {
      // What the client itself wrote is in front of what the proxy added.
      try client.request(
        "POST", skanPath, headers: [("X-Forwarded-For", "198.51.100.1"), ("X-Forwarded-For", address)],
        body: body)
    }
    for body in bodies[..<3] { #expect(try post(body, from: "203.0.113.1").status == 200) }
    let limited = try post(bodies[3], from: "203.0.113.1")
    #expect(limited.status == 429)
    #expect(try code(limited) == "too-many-requests")
    #expect(limited.header("content-type") == "application/problem+json")
    let seconds = try #require(limited.header("retry-after").flatMap { Double($0) })
    #expect(seconds >= 1 && seconds <= 2)
    #expect(try post(bodies[4], from: "203.0.113.2").status == 200)
    Thread.sleep(forTimeInterval: seconds + 0.1)
    #expect(try post(bodies[3], from: "203.0.113.1").status == 200)
    #expect(try figure(daemon, "skan_requests_limited_total{by=\"address\"}") == "1")
    #expect(
      try figure(daemon, "skan_http_requests_total{route=\"device\",status=\"429\"}") == "1")
    #expect(daemon.end(SIGTERM).exitCode == 0)
    #expect(try number(folder.file("skan.db"), "SELECT count(*) FROM postback") == 5)
  }

  @Test func `A daemon limits each app of an address before it checks a signature`() throws {
    let daemon = try daemon(
      #"{"limits":{"requests-per-second-per-app":1,"burst-per-app":2}}"#, ["--trusted-proxy", "127.0.0.0/8"])
    let body = try keys.postbacks(1, seed: 1)[0]
    func post() throws -> Int {
      try daemon.post(body, headers: [("X-Forwarded-For", "2001:db8::1")]).status
    }
    #expect(try [post(), post(), post()] == [200, 200, 429])
    #expect(try figure(daemon, "skan_requests_limited_total{by=\"app\"}") == "1")
    #expect(try figure(daemon, "skan_postbacks_judged_total{state=\"valid\"}") == "2")
    #expect(daemon.end(SIGTERM).exitCode == 0)
  }

  @Test func `A daemon ignores X-Forwarded-For of clients that are no trusted proxy`() throws {
    let daemon = try daemon(
      #"{"limits":{"requests-per-second":1,"burst":1}}"#, ["--trusted-proxy", "10.0.0.1"])
    let body = try keys.postbacks(1, seed: 1)[0]
    for _ in 0..<5 {
      // The machine itself has no limit; the address it claims would have one.
      #expect(try daemon.post(body, headers: [("X-Forwarded-For", "203.0.113.1")]).status == 200)
    }
    #expect(daemon.end(SIGTERM).exitCode == 0)
  }

  @Test func `A daemon limits the batches of a network`() throws {
    let daemon = try daemon(
      #"{"networks":[{"name":"acme","token":"\#(token)"}],"limits":{"requests-per-second":1,"burst":2}}"#)
    let body = try keys.postbacks(1, seed: 1)[0]
    let statuses = try (0..<3).map { _ in
      try daemon.post(body, forwardPath, headers: [("Authorization", "Bearer \(token)")]).status
    }
    #expect(statuses == [200, 200, 429])
    #expect(daemon.end(SIGTERM).exitCode == 0)
  }

  private func signed(_ body: [UInt8], at time: Int64, with secret: String = secret) throws -> String {
    "t=\(time),v1=\(hexText(try hmacSHA256(Array("\(time).".utf8) + body, secret: Array(secret.utf8))))"
  }

  @Test func `A daemon accepts from a network with a secret only signed requests, and counts a replay once`()
    throws
  {
    let daemon = try daemon(
      #"{"networks":[{"name":"acme","token":"\#(token)","hmac-secret":"\#(secret)"}]}"#)
    let body = try keys.postbacks(1, seed: 1)[0]
    let now = Int64(Date().timeIntervalSince1970)
    func post(_ signature: String?, _ body: [UInt8]) throws -> HTTPAnswer {
      try daemon.post(
        body, forwardPath,
        headers: [("Authorization", "Bearer \(token)")] + (signature.map { [("Skan-Signature", $0)] } ?? []))
    }
    let right = try signed(body, at: now)
    let mistakes: [(String?, String)] = [
      (nil, "signature-missing"), ("v1=1", "signature-malformed"),
      (try signed(body, at: now - 400), "signature-expired"),
      (try signed(body + [32], at: now), "signature-mismatch"),
    ]
    for (signature, expected) in mistakes {
      let answer = try post(signature, body)
      #expect(answer.status == 401)
      #expect(answer.header("www-authenticate") == "Skan-Signature")
      #expect(try code(answer) == expected)
    }
    #expect(try number(folder.file("skan.db"), "SELECT count(*) FROM postback") == 0)
    for _ in 0..<3 { #expect(try post(right, body).status == 200) }
    let parts = right.split(separator: ",").map { ("Skan-Signature", String($0)) }
    let onTwoLines = [("Authorization", "Bearer \(token)")] + parts
    #expect(parts.count == 2)
    #expect(try daemon.post(body, forwardPath, headers: onTwoLines).status == 200)
    // Bytes as they are sent: a packed body is signed packed.
    let large = try Array(keys.postbacks(40, seed: 2).joined(separator: [10]))
    #expect(try post(signed(large, at: now), large).status == 200)
    #expect(try post(signed(body, at: now), large).status == 401)
    #expect(daemon.end(SIGTERM).exitCode == 0)
    #expect(try number(folder.file("skan.db"), "SELECT count(*) FROM postback") == 41)
    #expect(try number(folder.file("skan.db"), "SELECT sum(postbacks) FROM v_campaign_days") == 41)
  }

  @Test func `A daemon accepts secrets that are created while it runs`() throws {
    let database = folder.file("skan.db")
    let daemon = try daemon(#"{"networks":[{"name":"acme","token":"\#(token)"}]}"#)
    let body = try keys.postbacks(1, seed: 1)[0]
    func status(_ wanted: Int, _ signature: () throws -> String?) throws -> Int {
      var found = 0
      for _ in 0..<60 where found != wanted {
        let header = try signature().map { [("Skan-Signature", $0)] } ?? []
        found = try daemon.post(body, forwardPath, headers: [("Authorization", "Bearer \(token)")] + header)
          .status
        if found != wanted { Thread.sleep(forTimeInterval: 0.05) }
      }
      return found
    }
    #expect(try status(200) { nil } == 200)
    let made = try Subprocess.run("skan", ["token", "create", "-d", database, "--network", "acme", "--hmac"])
    let secret = made.output.trimmingCharacters(in: .newlines)
    #expect(made.exitCode == 0)
    #expect(secret.count == 64)
    #expect(try status(401) { nil } == 401)
    let now = Int64(Date().timeIntervalSince1970)
    #expect(try status(200) { try signed(body, at: now, with: secret) } == 200)
    // The secret is no token.
    #expect(
      try daemon.post(body, forwardPath, headers: [("Authorization", "Bearer \(secret)")]).status == 401)
    let listed = try Subprocess.run("skan", ["token", "list", "-d", database]).output
    #expect(listed.contains("sign") && !listed.contains(secret))
    #expect(try Subprocess.run("skan", ["token", "revoke", "-d", database, "1"]).exitCode == 0)
    #expect(try status(200) { nil } == 200)
    let reader = ["token", "create", "-d", database, "--reader", "a", "--hmac"]
    #expect(try Subprocess.run("skan", reader).exitCode == 64)
    #expect(daemon.end(SIGTERM).exitCode == 0)
  }

  @Test func `A daemon shows its metrics while the database is locked or missing`() throws {
    let database = folder.file("skan.db")
    let daemon = try daemon("{}")
    _ = try daemon.post(try keys.postbacks(1, seed: 1)[0])
    let names = [
      "skan_http_requests_total", "skan_http_request_seconds", "skan_ledger_queue", "skan_ledger_commit_size",
      "skan_ledger_commit_seconds", "skan_database_bytes", "process_resident_memory_bytes",
      "process_cpu_seconds_total", "process_start_time_seconds", "process_open_fds", "skan_start_seconds",
      "skan_build_info",
    ]
    let other = try Connection(path: database, mode: .readWrite)
    try other.execute("BEGIN EXCLUSIVE")
    let text = try daemon.get("/metrics").text
    try other.execute("ROLLBACK")
    for name in names { #expect(text.contains("# TYPE \(name) "), "\(name)") }
    // Each figure is there once, under the name that all programs have for it.
    for name in ["skan_requests_total", "skan_queue_receipts", "skan_process_cpu_seconds_total"] {
      #expect(!text.contains(name), "\(name)")
    }
    #expect(text.contains("skan_http_request_seconds_bucket{route=\"device\",le=\"+Inf\"} 1\n"))
    #expect(text.contains("skan_http_request_seconds_count{route=\"device\"} 1\n"))
    #expect(text.contains("skan_ledger_commit_size_sum 1\n"))
    for file in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: database + file) }
    let gone = try daemon.get("/metrics")
    #expect(gone.status == 200)
    #expect(!gone.text.contains("skan_database_bytes"))
    daemon.send(SIGKILL)
    _ = daemon.waitForEnd()
  }

  @Test func `A daemon answers a batch that is judged on its own thread like a short one`() throws {
    let daemon = try daemon(#"{"networks":[{"name":"acme","token":"\#(token)"}]}"#)
    let bodies = try keys.postbacks(300, seed: 4)
    let batch = Array(bodies.joined(separator: [10]))
    let answer = try daemon.post(batch, forwardPath, headers: [("Authorization", "Bearer \(token)")])
    #expect(answer.status == 200)
    let results = try #require(try JSONReader.read(answer.body).value.object?["results"]?.value.array)
    #expect(results.count == 300)
    for (index, result) in results.enumerated() {
      let members = try #require(result.value.object)
      #expect(members["index"]?.value.number?.integer == Int64(index))
      #expect(members["state"]?.value.string == "valid")
      #expect(members["stored"]?.value.string == "first")
    }
    #expect(daemon.end(SIGTERM).exitCode == 0)
  }
}
