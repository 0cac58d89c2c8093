import Imports
package import Pages

/// All screens; the navigation has them by their own sections and places.
package let allScreens: [Screen] = [
  // Figures
  OverviewScreen.self,
  CampaignsScreen.self,
  ArrivedScreen.self,
  CampaignScreen.self,
  CausesScreen.self,
  PlanScreen.self,
  ArrivalsScreen.self,
  NullsScreen.self,
  CohortsScreen.self,
  OrganicScreen.self,
  ProceedsScreen.self,
  ValueMapScreen.self,
  TrustScreen.self,
  ShortfallScreen.self,
  ExperimentScreen.self,
  // Evidence
  PostbacksScreen.self,
  PostbackScreen.self,
  PastedPostbackScreen.self,
  // Mappings
  VersionsScreen.self,
  EditorScreen.self,
  ProposalScreen.self,
  PublishScreen.self,
  CompareScreen.self,
  HandoverScreen.self,
  HandoverLinkScreen.self,
  ExperimentPlanScreen.self,
  // Operation
  DataIndexScreen.self,
  DataScreen<SpendImport>.self,
  DataScreen<NameImport>.self,
  DataScreen<RateImport>.self,
  DataScreen<TotalImport>.self,
  DataScreen<InstallImport>.self,
  DataScreen<ProceedsImport>.self,
  DataScreen<UserImport>.self,
  AccessScreen.self,
  SampleScreen.self,
  HealthScreen.self,
]
