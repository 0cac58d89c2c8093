import Postbacks
import Values

extension AmountRange {
  /// `from 0.01 to below 5 USD`, `from 100 USD`, `up to 20 USD`, or `of any amount USD`.
  func words(_ currency: CurrencyCode) -> Sentence {
    switch (lower, upper) {
    case (.closed(let low), .closed(let high)):
      Sentence("from \(low) up to \(high), that included, \(currency)")
    case (.closed(let low), .open(let high)): Sentence("from \(low) to below \(high) \(currency)")
    case (.closed(let low), .unbounded): Sentence("from \(low) \(currency)")
    case (.open(let low), .closed(let high)):
      Sentence("above \(low) up to \(high), that included, \(currency)")
    case (.open(let low), .open(let high)): Sentence("above \(low) to below \(high) \(currency)")
    case (.open(let low), .unbounded): Sentence("above \(low) \(currency)")
    case (.unbounded, .closed(let high)): Sentence("up to \(high) \(currency)")
    case (.unbounded, .open(let high)): Sentence("below \(high) \(currency)")
    case (.unbounded, .unbounded): Sentence("of any amount \(currency)")
    }
  }

  /// The same behind the value that users in the range get: `3 from 10 to below 20 USD`.
  func words(ofValue value: FineValue, _ currency: CurrencyCode) -> Sentence {
    let value = value.number
    return switch (lower, upper) {
    case (.closed(let low), .closed(let high)):
      Sentence("\(value) from \(low) up to \(high), that included, \(currency)")
    case (.closed(let low), .open(let high)):
      Sentence("\(value) from \(low) to below \(high) \(currency)")
    case (.closed(let low), .unbounded): Sentence("\(value) from \(low) \(currency)")
    case (.open(let low), .closed(let high)):
      Sentence("\(value) above \(low) up to \(high), that included, \(currency)")
    case (.open(let low), .open(let high)):
      Sentence("\(value) above \(low) to below \(high) \(currency)")
    case (.open(let low), .unbounded): Sentence("\(value) above \(low) \(currency)")
    case (.unbounded, .closed(let high)): Sentence("\(value) up to \(high) \(currency)")
    case (.unbounded, .open(let high)): Sentence("\(value) below \(high) \(currency)")
    case (.unbounded, .unbounded): Sentence("\(value) of any amount \(currency)")
    }
  }
}
