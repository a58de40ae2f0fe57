// The parent of the tests that need the machine for themselves.

import Testing

/// Stories with real threads, long chains and thousands of rounds. They run one after the other, so that each has the
/// machine for itself and its deadline means something.
@Suite("One at a time", .serialized)
enum OneAtATime {}
