import Ledger
import Postbacks
import Values
import Verification

extension Explanation {
  /// The explanation as a page for people; it ends with a line break.
  package var text: String {
    let rest =
      rejectionsLeftOut == 0
      ? [] : ["\(rejectionsLeftOut) more bodies claim this identifier and are not counted\n"]
    return (conversions.map(page) + rejections.map(page) + rest).joined(separator: "\n")
  }

  private func page(_ conversion: StoredConversion) -> String {
    let judgement = keyring.judge(conversion.body)
    var page = SectionedText(
      "\(printable(conversion.identifier)): \(judgement.state.rawValue), \(conversion.environment.rawValue)")
    let postback = PostbackReading(conversion.body).postback
    if let postback { describe(postback, on: &page) }
    page.section("Verdict")
    page.line(
      "now", judgement.reason?.english ?? "\(judgement.state.rawValue): signed by a key of this version")
    for warning in judgement.warnings { page.line("warning", warning.description) }
    if let postback { page.line("signed text", printable(readable(postback.signedMessage))) }
    page.section("Arrival")
    page.line("first copy", "\(conversion.receivedAt), \(routeText(conversion.origin))")
    for copy in conversion.copies { page.line("copy", text(copy)) }
    if conversion.copies.isEmpty { page.line("copies", "none") }
    if let postback {
      page.section("Meaning")
      for line in decoded(postback, conversion).lines { page.line(line.fact.rawValue, line.text.english) }
      conclude(postback, conversion, on: &page)
    }
    page.section("Body")
    page.raw(printable(String(decoding: conversion.body, as: UTF8.self)))
    return page.text
  }

  private func describe(_ postback: Postback, on page: inout SectionedText) {
    let facts = postback.attested
    page.section("Signed by Apple")
    page.line(
      "version",
      facts.version == .adAttributionKit ? "AdAttributionKit" : "SKAdNetwork \(facts.version.rawValue)")
    page.line("network", printable(facts.network.text))
    page.line("app", "\(facts.advertisedApp.number)")
    page.line("campaign", facts.campaign.text)
    if facts.version.hasWindows {
      page.line("window", "\(facts.window.rawValue + 1) of 3")
    }
    page.line("outcome", facts.outcome.rawValue)
    page.section("Not signed")
    let value =
      switch postback.claimed.value {
      case .fine(let value): "\(value.number) (fine)"
      case .coarse(let value): "\(value.rawValue) (coarse)"
      case .absent: "none"
      case .rejected: "impossible by Apple's rules"
      }
    page.line("value", value)
    if let country = postback.claimed.country { page.line("country", printable(country)) }
  }

  private func conclude(
    _ postback: Postback, _ conversion: StoredConversion, on page: inout SectionedText
  ) {
    let interval = decoded(postback, conversion).launch
    page.section("Conclusions")
    page.line("install", "between \(interval.earliest) and \(interval.latest), by Apple's timers")
    let counts = CountNames.names(countedFor: postback.attested, postback.claimed)
    page.line(
      "counts in",
      "\(counts.joined(separator: ", ")) of \(conversion.receivedAt.day), \(conversion.environment.rawValue)")
  }

  private func page(_ rejection: StoredRejection) -> String {
    var page = SectionedText("\(printable(identifier)): \(rejection.state.rawValue), not counted")
    page.section("Verdict")
    page.line("stored as", rejection.reason)
    page.line(
      "now", keyring.judge(rejection.body).reason?.english ?? "valid; trusted keys have changed since")
    page.section("Arrival")
    page.line("received", "\(rejection.receivedAt), \(routeText(rejection.origin))")
    page.section("Body")
    page.raw(printable(String(decoding: rejection.body, as: UTF8.self)))
    return page.text
  }

  private func text(_ copy: StoredCopy) -> String {
    let often = copy.times == 1 ? "" : ", \(copy.times) times until \(copy.lastReceivedAt)"
    let fields =
      copy.conflict.map { ", conflicts with the first copy in \($0.joined(separator: ", "))" } ?? ""
    let kept = copy.isCountedOnly ? "; different copies over the quota, counted and not stored" : ""
    return "\(copy.receivedAt), \(routeText(copy.origin))\(often)\(fields)\(kept)"
  }

  private func routeText(_ origin: Origin) -> String {
    origin.name.isEmpty ? origin.route.rawValue : "\(origin.route.rawValue) \(printable(origin.name))"
  }
}

private struct SectionedText {
  private static let width = 13

  private(set) var text: String

  init(_ headline: String) { text = headline + "\n" }

  mutating func section(_ title: String) { text += "\n\(title)\n" }

  mutating func line(_ name: String, _ value: String) {
    text += "  " + name + String(repeating: " ", count: max(1, Self.width - name.count)) + value + "\n"
  }

  mutating func raw(_ body: String) { text += "  \(body)\n" }
}
