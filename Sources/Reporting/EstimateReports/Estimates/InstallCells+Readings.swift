import Estimates
import Mappings
import Postbacks

extension InstallCells {
  struct Law: Hashable, Sendable {
    let app: AppID
    let delay: SendingDelay
  }

  /// A version that the value of some postbacks can be of.
  struct Reading {
    /// The place among the laws.
    let law: Int
    /// The place among the versions and types of the app.
    let scheme: Int
    let probability: Double
    /// Where postbacks count in a cell.
    let part: Int
    /// What a postback is worth on average, if it has a coarse value.
    let worth: Double
    let isFirstInstall: Bool
  }

  /// The readings of all kinds, with the laws and versions that they name, each once.
  struct Readings {
    var laws: [Law] = []
    /// By app.
    var schemes: [AppID: [Scheme]] = [:]
    var all: [Reading] = []
  }

  /// Everything that decides where postbacks of a kind count.
  struct Kind {
    /// The probability that they are of the time before the first version, which is under no mapping either.
    let undated: Double
    /// Places among the readings.
    let readings: Range<Int>
  }

  /// A campaign with those whose postbacks count for it.
  struct Member {
    let campaign: EstimatedCampaign
    /// Places among those that were counted.
    let places: [Int]
    /// Whether the value 0 stands for a withheld one.
    var zeroIsNull = false
    /// What their postbacks show; `nil` where that does not count.
    var shown: ShownDetails?
  }
}
