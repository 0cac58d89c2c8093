import Arguments

/// What a row of nulls is about.
package enum Breakdown: String, CaseIterable, ParameterValue { case campaign, day }
