import Arguments

/// What a row of estimates or nulls is about.
package enum Breakdown: String, CaseIterable, ParameterValue { case campaign, day }
