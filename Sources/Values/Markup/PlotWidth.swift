import Values

/// How wide a chart has to be for a label, so that labels at all widths have one size and none lies on another.
///
/// A chart fills its box, and only its texts keep their size; where they would touch, some of them are left out.
enum PlotWidth: Int, CaseIterable, Sendable {
  /// Phones and all that is wider.
  case narrow
  case middle
  case wide

  /// The least width of the drawing at which a label of this class is shown.
  var least: Double {
    switch self {
    case .narrow: 250
    case .middle: 440
    case .wide: 660
    }
  }

  /// What the stylesheet hides in narrower boxes; with a space before it.
  var style: HTML {
    switch self {
    case .narrow: ""
    case .middle: " from-middle"
    case .wide: " from-wide"
    }
  }

  /// The widths at which such a label is shown.
  var shown: [Double] { Self.allCases.filter { $0.rawValue >= rawValue }.map(\.least) + [1000] }

  /// For each place of a row the least width at which its label has room; `nil` where none has.
  ///
  /// The labels at one width are at even steps, and those of a narrower one are among them.
  ///
  /// - Parameters:
  ///   - labels: The labels; empty for none.
  ///   - size: Of the letters.
  static func evenly(_ labels: [String], size: Double) -> [Self?] {
    let widest = labels.map { estimatedWidth($0, size: size) }.max() ?? 0
    func step(_ width: Double) -> Int {
      let room = width / Double(max(1, labels.count))
      var step = 1
      while Double(step) * room < widest + 16, step < labels.count { step *= 2 }
      return step
    }
    let steps = allCases.map { ($0, step: step($0.least)) }
    return labels.indices.map { index in
      steps.first { width, step in
        let end = (Double(index) + 0.5) * width.least / Double(labels.count)
        return index % step == 0 && end + estimatedWidth(labels[index], size: size) / 2 <= width.least + 8
      }?.0
    }
  }
}

/// A place along a chart as a part of its width.
func part(_ share: Double) -> String { trimmed(share.isFinite ? share * 100 : 0, 3) + "%" }
