package import Pages

/// The screens of experiments that play own users: planning.
package let experimentScreens: [Screen] = [Screen(ExperimentPlanScreen.self)]
