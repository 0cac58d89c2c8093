import System
import Values

/// Token buckets of any number of senders in memory of a fixed size.
///
/// A bucket is one number, the moment at which it is full again, so a bucket that is full holds nothing worth keeping and
/// gives way first, the one that is full the longest before the others. A place is one of eight that a sender's secret hash
/// chooses. When none of the eight is full, the one that is full soonest gives way, and those that are slowed last:
/// a sender whose bucket gave way begins with a full one, so overflow never rejects a sender, it allows some to send more.
final class BucketTable: Sendable {
  struct Key: Hashable, Sendable {
    let high: UInt64
    let low: UInt64
    /// The app, or what else distinguishes kinds of keys; below zero where there is no app.
    let app: Int64
  }

  struct Answer: Equatable, Sendable {
    /// Seconds after which another try may succeed, at least 1; nil where this one did.
    let retrySeconds: Int64?
    /// Whether the sender is slowed because of what was rejected.
    let isSlowed: Bool
  }

  private struct Bucket: Sendable {
    var key: Key
    /// When it is full again, in microseconds of UTC.
    var fullAt: Int64
    /// The UTC day for which `rejected` counts.
    var day: Int32
    var rejected: Int32
  }

  private struct Shard: Sendable {
    var buckets: [Bucket]
    var overflows = 0
  }

  private static let ways = 8
  private static let noKey = Key(high: 0, low: 0, app: .min)

  private let shards: [Guarded<Shard>]
  private let sets: Int
  /// Rejected bodies of a day beyond which a sender is slowed; 0 for never.
  private let rejectedPerDay: Int

  /// Makes room for about that many buckets, 40 bytes each; it never grows.
  init(buckets: Int = 1 << 16, rejectedPerDay: Int) {
    let shardCount = buckets >= 1024 ? 64 : 1
    let sets = max(1, buckets / (shardCount * Self.ways))
    self.sets = sets
    self.rejectedPerDay = rejectedPerDay
    shards = (0..<shardCount).map { _ in
      let empty = Bucket(key: Self.noKey, fullAt: .min, day: .min, rejected: 0)
      return Guarded(Shard(buckets: Array(repeating: empty, count: sets * Self.ways)))
    }
  }

  /// How often a bucket gave way that was not full.
  var overflows: Int { shards.reduce(0) { sum, shard in sum + shard.withLock { $0.overflows } } }

  /// Takes one from a bucket.
  ///
  /// - Parameters:
  ///   - rate: What it gives; nil for no limit.
  ///   - slowed: Whether the sender is known to be slowed, for a bucket that does not count what was rejected.
  ///   - now: The time; it may go backwards, which costs a sender at most what its bucket holds.
  func take(_ key: Key, _ rate: BucketRate?, slowed: Bool = false, now: Instant) -> Answer {
    let (shard, start) = place(of: key)
    let time = now.milliseconds * 1000
    return shard.withLock { shard in
      let index = Self.find(key, from: start, in: &shard, time, isSlowed: isSlowed)
      let isSlowed = slowed || self.isSlowed(shard.buckets[index], on: now.day)
      guard let rate = isSlowed ? rate?.tenth : rate else {
        return Answer(retrySeconds: nil, isSlowed: isSlowed)
      }
      let span = rate.interval * rate.burst
      // After the clock went backwards the bucket is empty at worst, not empty for as long as the clock was ahead.
      let fullAt = min(max(shard.buckets[index].fullAt, time), time + span)
      let missing = fullAt + rate.interval - (time + span)
      guard missing <= 0 else {
        shard.buckets[index].fullAt = fullAt
        return Answer(retrySeconds: (missing + 999_999) / 1_000_000, isSlowed: isSlowed)
      }
      shard.buckets[index].fullAt = fullAt + rate.interval
      return Answer(retrySeconds: nil, isSlowed: isSlowed)
    }
  }

  func countRejected(_ key: Key, now: Instant) {
    let (shard, start) = place(of: key)
    shard.withLock { shard in
      let index = Self.find(key, from: start, in: &shard, now.milliseconds * 1000, isSlowed: isSlowed)
      if shard.buckets[index].day != now.day.number {
        shard.buckets[index].day = now.day.number
        shard.buckets[index].rejected = 0
      }
      if shard.buckets[index].rejected < .max { shard.buckets[index].rejected += 1 }
    }
  }

  private func place(of key: Key) -> (Guarded<Shard>, start: Int) {
    // The hash has a secret of the process in it, so that no sender can choose whose place is taken.
    let hash = UInt(bitPattern: key.hashValue)
    let shard = Int(hash % UInt(shards.count))
    let set = Int(hash / UInt(shards.count) % UInt(sets))
    return (shards[shard], set * Self.ways)
  }

  private func isSlowed(_ bucket: Bucket, on day: Day) -> Bool {
    rejectedPerDay > 0 && bucket.day == day.number && Int(bucket.rejected) > rejectedPerDay
  }

  /// The place of a sender's bucket, which another one left for it where it had none.
  private static func find(
    _ key: Key, from start: Int, in shard: inout Shard, _ time: Int64, isSlowed: (Bucket, Day) -> Bool
  ) -> Int {
    let today = Instant(milliseconds: time / 1000).day
    var loser = start
    var loserIsSlowed = true
    for index in start..<start + ways {
      if shard.buckets[index].key == key { return index }
      let slowed = isSlowed(shard.buckets[index], today)
      let isLess =
        slowed == loserIsSlowed
        ? shard.buckets[index].fullAt < shard.buckets[loser].fullAt : !slowed
      if index == start || isLess { (loser, loserIsSlowed) = (index, slowed) }
    }
    if shard.buckets[loser].fullAt > time || loserIsSlowed { shard.overflows += 1 }
    shard.buckets[loser] = Bucket(key: key, fullAt: .min, day: .min, rejected: 0)
    return loser
  }
}
