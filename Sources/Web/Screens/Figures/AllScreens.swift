package import Pages

/// All screens of figures; the navigation has them by their own sections and places.
///
/// - Parameter simulation: Plays samples of users, for the map of values.
package func figureScreens(simulating simulation: ValueSimulation) -> [Screen] {
  [
    Screen(OverviewScreen.self),
    Screen(CampaignsScreen.self),
    Screen(CampaignScreen.self),
    Screen(ArrivalsScreen.self),
    Screen(NullsScreen.self),
    Screen(EstimatesScreen.self),
    Screen(ValueMapScreen.self) { $0.simulation = simulation },
    Screen(TrustScreen.self),
    Screen(ExperimentScreen.self),
  ]
}
