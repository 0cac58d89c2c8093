import Reporting
package import Pages

/// The screens of data and access.
package let operationScreens: [Screen] = [
  Screen(DataIndexScreen.self),
  Screen(DataScreen<SpendImport>.self),
  Screen(DataScreen<NameImport>.self),
  Screen(DataScreen<RateImport>.self),
  Screen(DataScreen<TotalImport>.self),
  Screen(DataScreen<InstallImport>.self),
  Screen(DataScreen<UserImport>.self),
  Screen(AccessScreen.self),
]
