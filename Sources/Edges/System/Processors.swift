import Glibc

/// Processors that the system has online, at least 1.
public var processorCount: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }
