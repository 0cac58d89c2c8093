import Glibc

/// Returns the natural logarithm; minus infinity for 0, not a number below it.
public func naturalLogarithm(_ value: Double) -> Double { Glibc.log(value) }

/// Returns Euler's number raised to a power.
public func exponential(_ power: Double) -> Double { Glibc.exp(power) }
