import Estimates

/// The estimators of the product, and others that they are compared with.
enum ComparedEstimator: Equatable, Sendable {
  /// Withheld values are worth nothing: what many reports do, and too low.
  case zero
  /// Withheld values are worth what the campaign's revealed ones are: what is published as practice.
  case ratio
  /// Every install is worth what the app's installs are, whatever the campaign reveals.
  case appMean
  /// Empirical Bayes with one concentration for all codes.
  case dirichlet
  /// Empirical Bayes with one concentration between low and high codes and one inside each side.
  case hurdle
  /// Credibility after Bühlmann and Straub.
  case buehlmann
  case product(Estimator)

  /// All of them, in the order of their draws; the threshold as it was seen in the field.
  static let all: [Self] = [
    .zero, .ratio, .appMean, .dirichlet, .hurdle, .product(.tree), .buehlmann,
    .product(.threshold(smallest: 5)),
  ]

  var name: String {
    switch self {
    case .zero: "zero"
    case .ratio: "ratio"
    case .appMean: "app-mean"
    case .dirichlet: "dirichlet"
    case .hurdle: "hurdle"
    case .buehlmann: "buehlmann"
    case .product(let estimator): estimator.name
    }
  }

  /// What draws are made from; without a tree for an estimator that has no error.
  ///
  /// - Throws: `EstimationError` where a fit fails.
  func fit(to set: CampaignSet) throws(EstimationError) -> EstimatorFit {
    guard let mix = set.mix else { return EstimatorFit(nil) }
    let binary = DirichletTree(of: set, mix: mix)
    let revealed = set.campaigns.map(\.revealed)
    switch self {
    case .product(let estimator): return try estimator.fit(to: set)
    case .zero, .appMean, .buehlmann: return EstimatorFit(nil)
    // A prior that weighs nothing leaves the campaign's own mix.
    case .ratio:
      let flat = DirichletTree.flat(order: binary.order)
      return EstimatorFit(FittedTree(tree: flat, mix: mix, concentrations: [.none]))
    case .dirichlet:
      let flat = DirichletTree.flat(order: binary.order)
      return EstimatorFit(try FittedTree(fitting: flat, mix: mix, campaigns: revealed))
    case .hurdle:
      let hurdle = DirichletTree.hurdle(cutAs: binary)
      return EstimatorFit(try FittedTree(fitting: hurdle, mix: mix, campaigns: revealed))
    }
  }

  /// What each campaign of a set is estimated at, in its order; 0 where nothing is known.
  ///
  /// - Throws: `EstimationError` where a fit fails.
  func totals(of set: CampaignSet) throws(EstimationError) -> [Double] {
    let appMean = set.appMean ?? 0
    func totals(_ nullWorth: (RevealedCounts) -> Double) -> [Double] {
      set.campaigns.map { campaign in
        let decoded = campaign.cells.reduce(0) { $0 + set.worth.value(of: $1.revealed) }
        let worth = nullWorth(campaign)
        return decoded + campaign.cells.reduce(0) { $0 + $1.nulls * worth }
      }
    }
    switch self {
    case .zero: return totals { _ in 0 }
    case .ratio: return totals { $0.revealedMean(set.worth) ?? appMean }
    case .appMean: return set.campaigns.map { $0.total * appMean }
    case .buehlmann:
      let credibility = Credibility(set)
      return totals { credibility?.mean(of: $0, in: set) ?? 0 }
    case .dirichlet, .hurdle, .product:
      return try fit(to: set).estimates(of: set).map { $0.total ?? 0 }
    }
  }
}

extension RevealedCounts {
  /// What a revealed postback of the campaign is worth on average; nil where none is revealed.
  fileprivate func revealedMean(_ worth: CodeWorth) -> Double? {
    revealedTotal > 0 ? worth.value(of: revealed) / revealedTotal : nil
  }
}

extension DirichletTree {
  /// The tree of the Dirichlet-multinomial: every code hangs on the root.
  fileprivate static func flat(order: [Int]) -> Self {
    Self(order: order, nodes: [Node(leaves: order.indices, group: 0)], groups: 1)
  }

  /// The tree of the hurdle: a low and a high side, each with a law of its own, cut where the binary tree is cut first.
  fileprivate static func hurdle(cutAs binary: Self) -> Self {
    guard var root = binary.nodes.first else { return flat(order: binary.order) }
    var sides: [Node] = []
    for side in root.children.indices {
      let codes = root.children[side].codes
      root.children[side].node = codes.count > 1 ? sides.count + 1 : nil
      if codes.count > 1 { sides.append(Node(leaves: codes, group: side + 1)) }
    }
    return Self(order: binary.order, nodes: [root] + sides, groups: 3)
  }
}

extension DirichletTree.Node {
  fileprivate init(leaves codes: Range<Int>, group: Int) {
    self.init(children: codes.map { DirichletTree.Child(codes: $0..<($0 + 1)) }, group: group)
  }
}

/// Credibility after Bühlmann and Straub, in closed form.
///
/// s² = Σ π (r² + sd²) − μ², τ² = max(0, (Σ n (y − ȳ)² − (C − 1) s²) / (n − Σ n²/n)), k = s²/τ²; a withheld value is worth
/// Z y + (1 − Z) ȳ with Z = n / (n + k). It fails for sparse payers: its variance does not know that most users pay
/// nothing; so it gives no interval here.
/// Source: Bühlmann and Straub, "Glaubwürdigkeit für Schadensätze", 1970.
private struct Credibility {
  /// How many postbacks weigh as much as all other campaigns, k; infinite where campaigns do not differ.
  private let constant: Double
  private let mean: Double

  /// Fits a set; nil where nothing is known of the mix.
  init?(_ set: CampaignSet) {
    guard let mix = set.mix, let appMean = set.appMean else { return nil }
    let second = zip(mix, set.worth.buckets).reduce(0) {
      $0 + $1.0 * ($1.1.mean * $1.1.mean + $1.1.spread * $1.1.spread)
    }
    let within = max(0, second - appMean * appMean)
    let revealing = set.campaigns.filter { $0.revealedTotal > 0 }
    let count = revealing.reduce(0) { $0 + $1.revealedTotal }
    guard count > 0 else {
      (constant, mean) = (.infinity, appMean)
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
    let between = divisor > 0 ? max(0, (scatter - Double(revealing.count - 1) * within) / divisor) : 0
    constant = between > 0 ? within / between : .infinity
  }

  /// What a withheld value of a campaign is worth.
  func mean(of campaign: RevealedCounts, in set: CampaignSet) -> Double {
    guard let own = campaign.revealedMean(set.worth), constant.isFinite else { return mean }
    let trust = campaign.revealedTotal / (campaign.revealedTotal + constant)
    return trust * own + (1 - trust) * mean
  }
}
