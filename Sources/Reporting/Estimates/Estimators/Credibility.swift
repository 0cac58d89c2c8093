/// Credibility after Bühlmann and Straub, in closed form.
///
/// s² = Σ π (r² + sd²) − μ², τ² = max(0, (Σ n (y − ȳ)² − (C − 1) s²) / (n − Σ n²/n)), k = s²/τ²; a withheld value is worth
/// Z y + (1 − Z) ȳ with Z = n / (n + k). It fails for sparse payers: its variance does not know that most users pay
/// nothing; so it gives no interval here.
/// Source: Bühlmann and Straub, "Glaubwürdigkeit für Schadensätze", 1970.
package struct Credibility: Equatable, Sendable {
  /// The variance of one user's worth, s².
  package let withinVariance: Double
  /// The variance of campaigns' means, τ²; 0 where campaigns differ no more than by chance.
  package let betweenVariance: Double
  package let mean: Double

  /// How many postbacks weigh as much as all other campaigns, k; infinite where campaigns do not differ.
  package var constant: Double { betweenVariance > 0 ? withinVariance / betweenVariance : .infinity }

  /// Fits a set; nil where nothing is known of the mix.
  package init?(_ set: CampaignSet) {
    guard let mix = set.mix, let appMean = set.appMean else { return nil }
    self.init(set, mix: mix, appMean: appMean)
  }

  init(_ set: CampaignSet, mix: [Double], appMean: Double) {
    let second = zip(mix, set.worth.buckets).reduce(0) {
      $0 + $1.0 * ($1.1.mean * $1.1.mean + $1.1.spread * $1.1.spread)
    }
    withinVariance = max(0, second - appMean * appMean)
    let revealing = set.campaigns.filter { $0.revealedTotal > 0 }
    let count = revealing.reduce(0) { $0 + $1.revealedTotal }
    guard count > 0 else {
      betweenVariance = 0
      mean = appMean
      return
    }
    let mean = revealing.reduce(0) { $0 + set.worth.value(of: $1.revealed) } / count
    self.mean = mean
    var scatter = 0.0
    var squares = 0.0
    for campaign in revealing {
      let away = (campaign.revealedMean(set.worth) ?? mean) - mean
      scatter += campaign.revealedTotal * away * away
      squares += campaign.revealedTotal * campaign.revealedTotal
    }
    let divisor = count - squares / count
    betweenVariance =
      divisor > 0 ? max(0, (scatter - Double(revealing.count - 1) * withinVariance) / divisor) : 0
  }

  func mean(of campaign: RevealedCounts, worth: CodeWorth, of everyone: Double) -> Double {
    guard let own = campaign.revealedMean(worth), betweenVariance > 0 else { return everyone }
    let trust = campaign.revealedTotal / (campaign.revealedTotal + constant)
    return trust * own + (1 - trust) * everyone
  }
}
