// Standard input by lines, and standard output and error without buffers.

internal import Dispatch
internal import Foundation

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#endif

/// Why a standard stream could not be used.
package struct StreamFailure: Error, Hashable, CustomStringConvertible {
  package let description: String
  /// Nobody reads what is written: no mistake, and nothing to be told.
  package let isClosedPipe: Bool

  fileprivate init(_ stream: String, _ code: Int32) {
    description = "\(stream): \(String(cString: strerror(code)))"
    isClosedPipe = code == EPIPE
  }
}

package enum StandardStreams {
  package static var areTerminals: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }

  /// Call this first. A closed pipe becomes an error of the write that finds it closed, instead of the end of the
  /// program; and a stream that was closed from the beginning stays empty, instead of being whatever is opened next.
  package static func prepare() {
    signal(SIGPIPE, SIG_IGN)
    // Opened in turn, they get the lowest free numbers. Writing to them fails, as it should.
    while true {
      let descriptor = open("/dev/null", O_RDONLY)
      guard (STDIN_FILENO...STDERR_FILENO).contains(descriptor) else {
        if descriptor >= 0 { close(descriptor) }
        return
      }
    }
  }

  package static func show(_ text: String) throws(StreamFailure) {
    try put(text, to: STDOUT_FILENO, name: "standard output")
  }

  /// For the last words of a program: if they cannot be written there is nobody to tell.
  package static func complain(_ text: String) {
    try? put(text + "\n", to: STDERR_FILENO, name: "standard error")
  }

  private static func put(_ text: String, to descriptor: Int32, name: String) throws(StreamFailure) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        bytes = bytes.dropFirst(count)
      } else if errno == EAGAIN {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&waiting, 1, -1)
      } else if errno != EINTR {
        throw StreamFailure(name, errno)
      }
    }
  }
}

/// Reads lines from a descriptor, one when it is asked for one: a fast writer does not fill the memory.
package final class LineReader: @unchecked Sendable {
  // Safe to share: only blocks of its serial queue use what changes.
  private static let longestLine = 65_536

  private let queue = DispatchQueue(label: "lines of standard input")
  private let descriptor: Int32
  private var waiting: [UInt8] = []
  private var isAtEnd = false

  package init(descriptor: Int32 = STDIN_FILENO) {
    self.descriptor = descriptor
  }

  /// The next line without its end, or nil at the end of the input. A longer line than 64 KB comes in pieces.
  package func next() async throws -> String? {
    try await withCheckedThrowingContinuation { continuation in
      queue.async {
        continuation.resume(with: Result { try self.read() })
      }
    }
  }

  private func read() throws -> String? {
    var searched = 0
    while true {
      if let end = waiting[searched...].firstIndex(of: UInt8(ascii: "\n")) { return take(end, dropping: 1) }
      if waiting.count >= Self.longestLine { return take(Self.longestLine, dropping: 0) }
      if isAtEnd { return waiting.isEmpty ? nil : take(waiting.count, dropping: 0) }
      searched = waiting.count
      try fill()
    }
  }

  private func take(_ count: Int, dropping more: Int) -> String {
    let line = String(decoding: waiting[..<count], as: UTF8.self)
    waiting.removeFirst(count + more)
    return line
  }

  private func fill() throws {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = systemRead(descriptor, &buffer)
    if count > 0 {
      waiting += buffer[..<count]
    } else if count == 0 {
      isAtEnd = true
    } else if errno == EAGAIN {
      var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      poll(&ready, 1, -1)
    } else if errno != EINTR {
      throw StreamFailure("standard input", errno)
    }
  }
}

// Outside the class, whose own `read` would hide the system's.
private func systemRead(_ descriptor: Int32, _ buffer: inout [UInt8]) -> Int {
  read(descriptor, &buffer, buffer.count)
}
