import EventFiles
import Foundation
import Gzip
import MappingDesign
import MappingEditing
import Mappings
import Postbacks
import Simulation
import System
import Testing
import TestSupport
import Values

final class `The editor's answer` {
  private let folder: TemporaryFolder
  private let samples: SampleFolder
  private let trials = MappingTrials()
  private let usd: CurrencyCode

  init() throws {
    let folder = try TemporaryFolder()
    try folder.write(events(), to: "own.csv")
    try folder.write(gzip(Array(events().utf8)), to: "packed.csv.gz")
    try folder.write("not an events file", to: "notes.txt")
    samples = SampleFolder(try Folder(folder.path))
    usd = try #require(CurrencyCode("USD"))
    self.folder = folder
  }

  private func sample(_ name: String = "own.csv") throws -> UserSample {
    try #require(try samples.sample(name, currency: usd))
  }

  private func answer(_ text: String, on sample: UserSample? = nil, inForce: Mapping? = nil) throws
    -> EditorAnswer
  {
    let bytes = Array(text.utf8)
    return try #require(
      trials.answer(MappingDocument.check(bytes), of: bytes, inForce: inForce, on: sample))
  }

  /// What `skan simulate --threshold default --mapping IN-FORCE --compare DRAFT` simulates.
  private func study(_ mappings: [Mapping]) throws -> [VariantOutcome] {
    struct Source: CohortSource {
      let population: Population
      var names: CohortNames { population.names }
      var count: Int { population.cohortCount }
      func cohort(at index: Int) throws -> Cohort { try population.cohort(at: index) }
    }
    let population = try PopulationReader(currency: usd).read(path: folder.file("own.csv"))
    let simulators = mappings.map { mapping in
      var configuration = SimulationConfiguration(mapping)
      configuration.seed = 1
      configuration.crowd = .usual
      configuration.horizonDays = 35
      configuration.currency = usd
      return Simulator(configuration)
    }
    let study = SimulationStudy(
      simulators: simulators, runs: 1, cohorts: Source(population: population), threads: 3)
    return try #require(try study.run { _ in true }).outcomes
  }

  @Test func `The figures are those of skan simulate with the same seed`() throws {
    let (old, new) = (try read(mapping()), try read(mapping(edges: "0, 0.1, 1, 4, 12, null")))
    let result = try #require(
      try answer(mapping(edges: "0, 0.1, 1, 4, 12, null"), on: sample(), inForce: old).result)
    let outcomes = try study([old, new])
    #expect(result.inForce?.total == outcomes[0].total.sum)
    #expect(result.draft.total == outcomes[1].total.sum)
    #expect(try result.comparison == PairedComparison(outcomes[0], outcomes[1], seed: 1))
    #expect(result.comparison?.interval != nil)
    #expect(try #require(result.draft.withheldShare) > 0)
    // A second time, when the mapping in force comes from memory.
    let again = try #require(
      try answer(mapping(edges: "0, 0.1, 1, 4, 12, null"), on: sample(), inForce: old).result)
    #expect(again == result)
  }

  @Test func `Every user with a campaign ends in one cell of window 1 or in none, and money adds up`() throws
  {
    let answer = try answer(mapping(), on: sample())
    let total = try #require(answer.result?.draft.total)
    let fine = answer.cells.filter { if case .fine = $0.slot { true } else { false } }
    #expect(fine.count == 64)
    #expect(answer.cells.count == 73)
    #expect(fine.reduce(0) { $0 + ($1.users?.count ?? 0) } == total.installs)
    func money(_ cells: [DraftCell]) -> Int64 { cells.reduce(0) { $0 + ($1.users?.revenue.micros ?? 0) } }
    #expect(money(fine) == total[.first].revenue.amount.micros)
    let coarse = answer.cells.filter { if case .coarse(.second, _) = $0.slot { true } else { false } }
    #expect(money(coarse) == total[.second].revenue.amount.micros)
    #expect(abs(fine.compactMap { $0.users?.share }.reduce(0, +) - 1) < 1e-9)
    #expect(fine.filter(\.isUsed).map(\.slot.key) == ["0", "1", "2", "3", "4"])
  }

  @Test func `Figures of a part of the users are those of the whole app`() throws {
    let (sample, bytes) = (try sample(), Array(mapping().utf8))
    func answer(_ share: Double) throws -> EditorAnswer {
      let settings = TrialSettings(threshold: .none, share: share)
      return try #require(trials.answer(MappingDocument.check(bytes), of: bytes, on: sample, settings))
    }
    let (whole, part) = (try answer(1), try answer(0.25))
    let (figures, scaled) = (try #require(whole.result?.draft), try #require(part.result?.draft))
    #expect(scaled.revenue.micros == 4 * figures.revenue.micros)
    #expect(scaled.visible.mid.micros == 4 * figures.visible.mid.micros)
    #expect(scaled.error == figures.error && scaled.visibleShare == figures.visibleShare)
    #expect(part.cells.map { $0.users?.count } == whole.cells.map { $0.users.map { 4 * $0.count } })
    #expect((scaled.sizes.last?.from ?? 0) >= (figures.sizes.last?.from ?? 0))
  }

  @Test func `The same mapping compares with itself as no gain at all`() throws {
    let result = try #require(try answer(mapping(), on: sample(), inForce: try read(mapping())).result)
    #expect(result.comparison?.gain == 0)
    #expect(result.comparison?.verdict == .noDifference)
  }

  @Test func `A packed sample and a plain one give the same answer, and other files are no samples`() throws {
    #expect(try samples.names() == ["own.csv", "packed.csv.gz"])
    let (a, b) = (try answer(mapping(), on: sample()), try answer(mapping(), on: sample("packed.csv.gz")))
    #expect(a.result?.draft == b.result?.draft)
    for name in ["../own.csv", "notes.txt", "", "/etc/passwd", "own.csv\u{0}"] {
      #expect(try samples.sample(name, currency: usd) == nil)
    }
  }

  @Test func `A sample that is written anew is read anew`() throws {
    #expect(try sample().users == 1200)
    try folder.write(events(users: 300), to: "own.csv")
    #expect(try sample().users == 300)
  }

  @Test func `Larger samples are thinned to whole users`() throws {
    let rows = (0..<120_000).map { "u\($0 / 2),\(1_790_000_000 + $0),open,,,c,\(1_790_000_000)\n" }
    let large = (0..<2).map { part in rows.map { $0.replacingOccurrences(of: "u", with: "p\(part)u") } }
    try folder.write(
      "user,time,event,revenue,currency,campaign,installed\n" + large.joined().joined(), to: "large.csv")
    let sample = try sample("large.csv")
    #expect(sample.usersOfFile == 120_000)
    #expect(sample.isPart)
    #expect(sample.events == 2 * sample.users)
    #expect(abs(Double(sample.events) - Double(SampleFolder.mostEvents)) < 4000)
  }

  @Test func `A lock ends its window, and what follows is a gap`() throws {
    let locked = mapping().replacingOccurrences(
      of: #""high": {"revenue": {"from": 2, "representative": 4}}}]"#,
      with:
        #""high": {"lock": true, "active-hours": {"from": 72, "to": 168}, "revenue": {"from": 2, "representative": 4}}}]"#
    )
    let schedule = try answer(locked).schedule
    #expect(schedule.map(\.isUsed) == [true, true, false])
    #expect(schedule[1].locks == ["high"])
    #expect(schedule[1].gap == 72..<168)
    #expect(schedule[0].gap == nil)
    #expect(schedule[0].arrives == 72...96)
    #expect(schedule[1].arrives == 96...312)
    #expect(schedule[2].arrives == nil)
  }

  @Test func `An older edit of a draft is dropped when a newer one comes`() async throws {
    let sample = try sample()
    let trials = trials
    @Sendable func answer(edges: String) -> EditorAnswer? {
      let bytes = Array(mapping(edges: edges).utf8)
      return trials.answer(MappingDocument.check(bytes), of: bytes, draft: "draft", on: sample)
    }
    let answers = await withTaskGroup(of: EditorAnswer?.self) { group in
      for number in 0..<24 { group.addTask { answer(edges: "0, 0.\(number + 10), 2, 10, null") } }
      return await group.reduce(into: [EditorAnswer?]()) { $0.append($1) }
    }
    #expect(answers.contains { $0 != nil })
    // Whatever came of these, the next one is answered.
    #expect(answer(edges: "0, 0.5, 2, 10, null")?.result != nil)
  }

  @Test func `With errors there are findings only`() throws {
    let answer = try answer(mapping(edges: "0, 2, 0.5"), on: sample())
    #expect(answer.result == nil)
    #expect(answer.cells.isEmpty)
    #expect(answer.errors == 1)
    #expect(answer.findings.first?.slot?.key == "2")
  }

  @Test func `A proposal is the mapping of the designer for the same users`() throws {
    let sample = try sample()
    let like = try read(mapping())
    let proposals = MappingProposals()
    #expect(proposals.state(of: 1) == nil)
    #expect(try proposals.begin(for: 1, named: "design", like: like, of: sample))
    let state = try ended(proposals)
    let proposal = try #require(state.mapping)
    var request = try #require(
      DesignRequest(
        name: "design", app: like.app, currency: usd, effectiveFrom: like.effectiveFrom, device: .skan4,
        target: .revenue(days: 7), values: 60))
    request.crowd = .usual
    let population = try PopulationReader(currency: usd).read(path: folder.file("own.csv"))
    var end = Instant(seconds: 0)
    try population.forEachCohort { end = max(end, DesignUsers.end(of: $0) ?? end) }
    var users = DesignUsers(target: .revenue(days: 7), currency: usd)
    try population.forEachCohort { users.add($0, until: end) }
    #expect(proposal == DesignStudy(request, users, population: 1200).run()?.mapping)
    #expect(MappingDocument.check(proposal.json.bytes()).findings.allSatisfy { $0.severity == .warning })
    #expect(state.done == state.steps && state.best != nil && state.sizes.isEmpty)
    // With sizes, for which other errors count.
    #expect(try proposals.begin(for: 1, named: "design", like: like, of: sample, sizes: [20, 30]))
    let sized = try ended(proposals)
    request.sizes = [20, 30]
    #expect(sized.sizes == [20, 30])
    #expect(sized.mapping == DesignStudy(request, users, population: 1200).run()?.mapping)
    proposals.forget(1)
    #expect(proposals.state(of: 1) == nil)
  }

  @Test
  func `Searches that were dropped count until they have ended, and keep no finished one from being seen`()
    throws
  {
    let (proposals, like, sample) = (MappingProposals(), try read(mapping()), try sample())
    #expect(try proposals.begin(for: 1, named: "design", like: like, of: sample))
    _ = try ended(proposals)
    var begun = 0
    for draft in Int64(2)...40 {
      if try proposals.begin(for: draft, named: "design", like: like, of: sample) { begun += 1 }
      proposals.forget(draft)
    }
    // A search takes seconds, and two run at a time.
    #expect((2...4).contains(begun))
    #expect(try !proposals.begin(for: 1, named: "design", like: like, of: sample))
    #expect(proposals.state(of: 1)?.mapping != nil)
  }

  @Test func `A search that is stopped ends with the best so far`() throws {
    let proposals = MappingProposals()
    #expect(try proposals.begin(for: 1, named: "design", like: read(mapping()), of: sample()))
    proposals.stop(1)
    let state = try ended(proposals)
    #expect(state.done < state.steps)
    let mapping = try #require(state.mapping)
    #expect(MappingDocument.check(mapping.json.bytes()).findings.allSatisfy { $0.severity == .warning })
  }

  @Test func `Events of a draft that no user has are named`() throws {
    let text = mapping(edges: "0, 2, 10").replacing(
      #""fine": ["#, with: #""fine": [{"value": 40, "events": ["never_sent"]}, "#)
    #expect(try answer(text, on: sample()).unknownEvents == ["never_sent"])
  }

  /// Waits for the search of draft 1.
  private func ended(_ proposals: MappingProposals) throws -> MappingProposals.State {
    for _ in 0..<6000 {
      let state = try #require(proposals.state(of: 1))
      if state.hasEnded { return state }
      usleep(10_000)
    }
    throw Unfinished()
  }

  private struct Unfinished: Error {}
}
