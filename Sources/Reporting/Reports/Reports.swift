package import Campaigns
import EstimateReports
import Explanations
import Imports
package import Tables

/// All reports, in the order of the help: a command, an HTTP resource and a section of the documentation each.
package let reports: [ReportKind<ReportSource>] = [
  ReportKind(CampaignReport.self),
  ReportKind(EventReport.self),
  ReportKind(PostbackReport.self),
  ReportKind(CrosscheckReport.self),
  ReportKind(NullReport.self),
  ReportKind(ConflictReport.self),
  ReportKind(TotalsReport.self),
  ReportKind(OrganicReport.self),
  ReportKind(EstimateReport.self),
  ReportKind(ProceedsReport.self),
  ReportKind(CausesReport.self),
  ReportKind(PlanReport.self),
  ReportKind(PriorReport.self),
  ReportKind(CohortReport.self),
  ReportKind(ShortfallReport.self),
  ReportKind(OverlapReport.self),
  ReportKind(PatternReport.self),
  ReportKind(PurchaseReport.self),
]

/// Reports that have a command and an HTTP resource elsewhere than the others.
package let listings: [ReportKind<ReportSource>] = [
  ReportKind(MappingListing.self),
  ReportKind(ImportedListing<SpendRows>.self),
  ReportKind(NameListing.self),
  ReportKind(SentNameReport.self),
  ReportKind(ImportedListing<RateRows>.self),
  ReportKind(ImportedListing<TotalRows>.self),
  ReportKind(ImportedListing<OwnInstallRows>.self),
  ReportKind(ImportedListing<ProceedsRows>.self),
  ReportKind(ImportedListing<UserRows>.self),
  ReportKind(RelayListing.self),
  ReportKind(DeadLetterListing.self),
]

/// Reports that have a command alone: without a choice of their own there is nothing to answer.
package let commandReports: [ReportKind<ReportSource>] = [ReportKind(ExperimentReport.self)]
