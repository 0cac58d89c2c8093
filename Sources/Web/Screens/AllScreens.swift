package import Pages
import Reporting

/// All screens; the navigation has them by their own sections and places.
package let allScreens: [Screen] = [
  // Figures
  Screen(OverviewScreen.self),
  Screen(CampaignsScreen.self),
  Screen(CampaignScreen.self),
  Screen(CausesScreen.self),
  Screen(ArrivalsScreen.self),
  Screen(NullsScreen.self),
  Screen(EstimatesScreen.self),
  Screen(CohortsScreen.self),
  Screen(OrganicScreen.self),
  Screen(ProceedsScreen.self),
  Screen(ValueMapScreen.self),
  Screen(TrustScreen.self),
  Screen(ShortfallScreen.self),
  Screen(ExperimentScreen.self),
  // Evidence
  Screen(PostbacksScreen.self),
  Screen(PostbackScreen.self),
  Screen(PastedPostbackScreen.self),
  // Mappings
  Screen(VersionsScreen.self),
  Screen(EditorScreen.self),
  Screen(ProposalScreen.self),
  Screen(PublishScreen.self),
  Screen(CompareScreen.self),
  Screen(HandoverScreen.self),
  Screen(HandoverLinkScreen.self),
  Screen(ExperimentPlanScreen.self),
  // Operation
  Screen(DataIndexScreen.self),
  Screen(DataScreen<SpendImport>.self),
  Screen(DataScreen<NameImport>.self),
  Screen(DataScreen<RateImport>.self),
  Screen(DataScreen<TotalImport>.self),
  Screen(DataScreen<InstallImport>.self),
  Screen(DataScreen<ProceedsImport>.self),
  Screen(DataScreen<UserImport>.self),
  Screen(AccessScreen.self),
  Screen(SampleScreen.self),
  Screen(HealthScreen.self),
]
