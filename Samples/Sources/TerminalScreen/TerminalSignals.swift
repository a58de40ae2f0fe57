// The signals of a terminal program. Those that end or stop it, and the change of the window's size, are told to a
// thread that waits for them, where ordinary code may run; at a crash the terminal is restored in the handler itself.

internal import Foundation

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#endif

enum TerminalSignals {
  /// What a thread is told.
  enum Notice: Sendable {
    /// Drawing mode has to end, since the program is about to be ended or stopped.
    case leave
    /// The program goes on after it was stopped, in the foreground.
    case resume
    case resize
  }

  private static let ending: [Int32] = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
  private static let crashes: [Int32] = [SIGILL, SIGTRAP, SIGSEGV, SIGABRT, SIGBUS, SIGFPE]

  /// Installs the handlers. `notice` is called on the thread that waits for signals, one at a time.
  static func install(readingFrom pipe: Int32, _ notice: @escaping @Sendable (Notice) -> Void) {
    guard let record = TerminalModes.record else { return }
    for signal in ending + crashes + [SIGTSTP, SIGCONT, SIGWINCH] {
      sigaction(signal, nil, record.pointee.previous + Int(signal))
    }
    for signal in ending + [SIGTSTP] where !isIgnored(signal) { TerminalModes.handle(signal, with: tell) }
    for signal in [SIGCONT, SIGWINCH] { TerminalModes.handle(signal, with: tell) }
    for signal in crashes { TerminalModes.handle(signal, with: restoreAndCrash) }
    // However the program is ended: `exit` anywhere in it restores the terminal.
    atexit { TerminalModes.leave() }

    let thread = Thread {
      // A thread begins with the mask of the one that made it, and those of a dispatch queue block nearly all signals:
      // what is raised here would wait for ever.
      var all = sigset_t()
      sigfillset(&all)
      pthread_sigmask(SIG_UNBLOCK, &all, nil)
      var signal: UInt8 = 0
      while true {
        let count = read(pipe, &signal, 1)
        if count == 1 { handle(Int32(signal), notice) } else if count == 0 || errno != EINTR { return }
      }
    }
    thread.name = "terminal signals"
    thread.start()
  }

  private static func handle(_ signal: Int32, _ notice: (Notice) -> Void) {
    switch signal {
    case SIGWINCH:
      notice(.resize)
    case SIGCONT:
      if TerminalModes.isForeground() { notice(.resume) }
    case SIGTSTP:
      notice(.leave)
      // Stops the program here, and this thread only goes on with it.
      TerminalModes.restorePreviousAction(of: SIGTSTP)
      raise(SIGTSTP)
      TerminalModes.handle(SIGTSTP, with: tell)
      if TerminalModes.isForeground() { notice(.resume) }
    default:
      notice(.leave)
      // Ended by the signal itself, so that a shell or a script sees what it was.
      TerminalModes.restorePreviousAction(of: signal)
      raise(signal)
    }
  }

  private static func isIgnored(_ signal: Int32) -> Bool {
    // As `nohup` and shells without job control want it.
    guard let action = TerminalModes.record?.pointee.previous[Int(signal)] else { return false }
    #if canImport(Darwin)
      let handler = action.__sigaction_u.__sa_handler
    #else
      let handler = action.__sigaction_handler.sa_handler
    #endif
    // SIG_IGN is the address 1.
    return unsafeBitCast(handler, to: Int.self) == 1  // Safe: an optional C function pointer is one address.
  }

  private static let tell: @convention(c) (Int32) -> Void = { signal in
    guard let record = TerminalModes.record else { return }
    let before = errno
    var byte = UInt8(truncatingIfNeeded: signal)
    _ = write(record.pointee.signalPipe, &byte, 1)
    errno = before
  }

  private static let restoreAndCrash: @convention(c) (Int32) -> Void = { signal in
    TerminalModes.leave()
    // The signal waits until this returns, and then does what it would have done without us.
    TerminalModes.restorePreviousAction(of: signal)
    raise(signal)
  }
}
