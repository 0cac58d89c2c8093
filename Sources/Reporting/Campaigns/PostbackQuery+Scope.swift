package import Ledger
package import Values

extension PostbackQuery {
  package init(_ period: Period<Instant>, _ scope: Scope) {
    self.init(
      environment: scope.environment, from: period.from, to: period.to, apps: scope.apps,
      networks: scope.networks)
  }
}
