var ledger = LedgerBench(path: CommandLine.arguments[2])
try ledger.run(sizes: CommandLine.arguments.dropFirst(3).compactMap { Int($0) }, sample: 100_000)
