import Testing

@testable import SimulationReports

@Suite struct `A page` {
  @Test func `is the same for the same simulation`() throws {
    let people = try crowd(40, campaigns: small, days: 4)
    let variant = try variant("Spring", mapping(.skan4), people)
    #expect(report([variant], people).text(.table) == report([variant], people).text(.table))
  }
}
