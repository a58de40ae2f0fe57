// The terminal that a program draws on: keys and sizes come out of it, bytes go into it.

internal import Foundation

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#endif

/// The terminal of the process. There is one, so make one.
///
/// Between ``start(_:)`` and ``stop()`` it is in drawing mode: the second screen page, keys one by one. However the
/// process ends, the terminal is as it was: by `stop()`, by `exit`, by a signal, by a trap. Control-Z gives it back to
/// the shell, and the event ``Event/resumed(_:)`` tells when it is there again.
///
/// **Threads.** Everything may be called from any thread. Events come on two threads of the terminal's own, the keys on
/// one of them and in their order: hand them over to a reactor, which keeps the order of each sender.
package final class Terminal: Sendable {
  /// What happens at a terminal.
  package enum Event: Sendable, Hashable {
    /// The user pressed keys; never an empty list.
    case keys([Key])
    /// The window has another size.
    case resized(TerminalSize)
    /// The program is back after it was stopped: nothing of what it drew is left.
    case resumed(TerminalSize)
    /// There will be no more keys: the window is gone.
    case closed
  }

  /// Held while bytes are written, so that drawing mode never ends in the middle of a frame.
  private let writing = NSLock()

  /// Nil if standard input and standard output are not both a terminal that can move its cursor.
  package init?() {
    let kind = ProcessInfo.processInfo.environment["TERM"] ?? ""
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1, !kind.isEmpty, kind != "dumb" else { return nil }
  }

  /// The size of the window now.
  package var size: TerminalSize {
    var window = winsize()
    if ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0 {
      return TerminalSize(columns: Int(window.ws_col), rows: Int(window.ws_row))
    }
    let environment = ProcessInfo.processInfo.environment
    return TerminalSize(
      columns: environment["COLUMNS"].flatMap { Int($0) } ?? 80, rows: environment["LINES"].flatMap { Int($0) } ?? 24)
  }

  /// Begins drawing mode. Call it once. False if the terminal refuses; nothing has been changed then.
  package func start(_ receive: @escaping @Sendable (Event) -> Void) -> Bool {
    var original = termios()
    var ends: [Int32] = [-1, -1]
    guard TerminalModes.record == nil, tcgetattr(STDIN_FILENO, &original) == 0, pipe(&ends) == 0 else { return false }
    // A handler must not wait because nobody reads.
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    let previous = UnsafeMutablePointer<sigaction>.allocate(capacity: TerminalRecord.signalCount)
    previous.initialize(repeating: sigaction(), count: TerminalRecord.signalCount)
    let record = UnsafeMutablePointer<TerminalRecord>.allocate(capacity: 1)
    record.initialize(
      to: TerminalRecord(
        input: STDIN_FILENO, output: STDOUT_FILENO, original: original,
        drawing: TerminalModes.drawingSettings(from: original), signalPipe: ends[1], previous: previous))
    TerminalModes.record = record

    TerminalSignals.install(readingFrom: ends[0]) { [self] notice in
      switch notice {
      case .leave:
        // Not for ever: a terminal that takes no bytes must not keep the program from being ended.
        let isHeld = writing.lock(before: Date(timeIntervalSinceNow: 0.5))
        TerminalModes.leave()
        if isHeld { writing.unlock() }
      case .resume:
        writing.withLock { TerminalModes.enter() }
        receive(.resumed(size))
      case .resize:
        receive(.resized(size))
      }
    }
    writing.withLock { TerminalModes.enter() }
    readKeys(receive)
    return true
  }

  /// Ends drawing mode, for good.
  package func stop() {
    writing.withLock {
      TerminalModes.record?.pointee.isWanted = 0
      TerminalModes.leave()
    }
  }

  /// Writes bytes, all of them, unless drawing mode has ended or the window is gone. Waits while the terminal is slow.
  package func write(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    writing.withLock {
      guard TerminalModes.record?.pointee.isDrawing == 1 else { return }
      bytes.withUnsafeBytes { buffer in
        var rest = buffer[...]
        while !rest.isEmpty {
          let count = systemWrite(STDOUT_FILENO, UnsafeRawBufferPointer(rebasing: rest))
          if count > 0 {
            rest = rest.dropFirst(count)
          } else if errno == EAGAIN {
            var waiting = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
            poll(&waiting, 1, -1)
          } else if errno != EINTR {
            return
          }
        }
      }
    }
  }

  /// Reads keys for as long as there is a terminal, on a thread that does nothing else.
  private func readKeys(_ receive: @escaping @Sendable (Event) -> Void) {
    let thread = Thread {
      var decoder = KeyDecoder()
      var buffer = [UInt8](repeating: 0, count: 4096)
      while true {
        var waiting = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        // A lone escape byte is the key, when nothing follows it soon.
        let ready = poll(&waiting, 1, decoder.isWaiting ? 50 : -1)
        var keys: [Key] = []
        if ready == 0 {
          keys = decoder.flush()
        } else if ready > 0 {
          let count = systemRead(STDIN_FILENO, &buffer)
          if count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR) { break }
          if count > 0 { keys = decoder.decode(buffer[..<count]) }
        } else if errno != EINTR {
          break
        }
        if !keys.isEmpty { receive(.keys(keys)) }
      }
      receive(.closed)
    }
    thread.name = "terminal keys"
    thread.start()
  }
}

// Outside the class, whose own `write` would hide the system's.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}

private func systemRead(_ descriptor: Int32, _ buffer: inout [UInt8]) -> Int {
  read(descriptor, &buffer, buffer.count)
}
