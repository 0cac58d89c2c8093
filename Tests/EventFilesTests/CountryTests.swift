@testable import EventFiles
import Simulation
import Testing

struct `A country in an events file` {
  private func population(_ country: String) throws -> Population {
    var pieces = [Array("user,time,event,country\nu,1,e,\(country)\n".utf8)]
    return try PopulationReader().read { pieces.isEmpty ? nil : pieces.removeFirst() }
  }

  @Test(arguments: [
    ("DE", "DE"), ("Germany", "DE"), ("de", "DE"), ("united states", "US"), ("USA", "US"),
    ("South Korea", "KR"),
    ("Côte d'Ivoire", "CI"), ("Türkiye", "TR"), ("Kosovo", "XK"), ("ZZ", "ZZ"), ("UK", "UK"),
  ]) func `A country in an events file is read by its code or its English name`(text: String, code: String)
    throws
  {
    let origins = try population(text).names.origins
    #expect(origins.compactMap(\.country) == [code])
    #expect(try population(text).unreadCountry == nil)
  }

  @Test(arguments: ["Atlantis", "D", "49", "Deutschland"])
  func `A country in an events file that is neither is unknown and kept as it is`(text: String) throws {
    let read = try population(text)
    #expect(read.names.origins.compactMap(\.country) == [])
    #expect(read.unreadCountry == "\"\(text)\"")
  }

  @Test func `Every line of the list of countries has a code and a name, and no name has two codes`() {
    let lines = String(decoding: PackageResources.countries_tsv, as: UTF8.self).split(separator: "\n").map {
      $0.split(separator: "\t").map(String.init)
    }
    #expect(lines.count == 250)
    #expect(lines.allSatisfy { $0.count >= 2 && UserOrigin.isCode($0[0]) })
    let names = lines.flatMap { line in line.dropFirst().map { $0.lowercased() } }
    #expect(Set(names).count == names.count)
  }
}
