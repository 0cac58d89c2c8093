import Arguments
@testable import Commands
@testable import Service
@testable import Serving
import Testing

struct `Reports over HTTP` {
  private static let reports = readResources.filter { $0.path.hasPrefix("/v1/reports/") }

  @Test func `Reports over HTTP equal those of the command line`() {
    let commands = Set(
      allGroups.flatMap(\.entries).map(\.command).filter { $0.path.first == "report" }.map { $0.path[1] })
    #expect(commands.isSubset(of: readResources.map(\.name)))
    #expect(commands.isSuperset(of: Self.reports.map(\.name)))
  }

  @Test(arguments: reports.map(\.name))
  func `Reports over HTTP have the parameters of the command's options`(name: String) throws {
    let command = try #require(
      allGroups.flatMap(\.entries).map(\.command).first { $0.path == ["report", name] })
    let report = try #require(Self.reports.first { $0.name == name })
    let options = command.options.map { String($0.name.dropFirst(2)) }.filter {
      $0 != "database" && $0 != "format"
    }
    #expect(Set(report.words) == Set(options))
  }
}
