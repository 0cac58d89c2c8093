package import Pages

/// All screens; the navigation has them by their own sections and places.
package let allScreens: [Screen] = [
  Screen(OverviewScreen.self),
  Screen(CampaignsScreen.self),
  Screen(CampaignScreen.self),
  Screen(ArrivalsScreen.self),
  Screen(NullsScreen.self),
  Screen(EstimatesScreen.self),
  Screen(ValueMapScreen.self),
  Screen(TrustScreen.self),
]
