// Puts a terminal into the mode in which a program draws the screen, and back. What is in this file may run inside a
// signal handler, at any instruction of the program: no allocation, no lock, no Swift object is touched, only memory
// that was set up before and functions that POSIX allows there.

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#endif

/// What has to be known to bring the terminal back, in memory that lives for ever.
struct TerminalRecord {
  var input: Int32
  var output: Int32
  /// How the terminal was found, and how the program wants it.
  var original: termios
  var drawing: termios
  /// 1 while the terminal is in drawing mode. Written by one thread at a time; a crash handler may read it on
  /// another one, and at worst restores what is being restored.
  var isDrawing: Int32 = 0
  /// 0 when the program has left drawing mode for good.
  var isWanted: Int32 = 1
  /// The end of the pipe through which handlers tell which signal came.
  var signalPipe: Int32
  /// What was to be done at each signal before this program had its say.
  var previous: UnsafeMutablePointer<sigaction>

  static let signalCount = 65
}

enum TerminalModes {
  /// Set once, before any handler is installed; its memory is never freed.
  // Safe: written before the handlers and threads exist that read it, and never again.
  nonisolated(unsafe) static var record: UnsafeMutablePointer<TerminalRecord>?

  /// The other screen page, which remembers where the cursor was: not to be begun twice.
  private static let pageSequence: StaticString = "\u{1B}[?1049h"
  /// No cursor, no wrapping at the right edge.
  private static let enterSequence: StaticString = "\u{1B}[?25l\u{1B}[?7l"
  private static let leaveSequence: StaticString = "\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

  /// The settings in which keys come one by one and unseen. Control-C and Control-Z still send signals, so that a
  /// program that hangs can be ended.
  static func drawingSettings(from original: termios) -> termios {
    var settings = original
    settings.c_lflag &= ~tcflag_t(ECHO | ICANON | IEXTEN)
    settings.c_iflag &= ~tcflag_t(IXON | ICRNL | INLCR | IGNCR | ISTRIP)
    withUnsafeMutableBytes(of: &settings.c_cc) { characters in
      characters[Int(VMIN)] = 1
      characters[Int(VTIME)] = 0
    }
    return settings
  }

  /// Whether the terminal listens to this program, and not to the shell that has put it into the background.
  static func isForeground() -> Bool {
    guard let record else { return false }
    let group = tcgetpgrp(record.pointee.input)
    // A terminal that does not control this program has no background for it.
    return group == -1 ? errno == ENOTTY : group == getpgrp()
  }

  /// Begins drawing mode, or repairs it after somebody else has used the terminal.
  static func enter() {
    guard let record, record.pointee.isWanted == 1, isForeground() else { return }
    let isNew = record.pointee.isDrawing == 0
    record.pointee.isDrawing = 1
    tcsetattr(record.pointee.input, TCSADRAIN, &record.pointee.drawing)
    if isNew { put(pageSequence, to: record.pointee.output) }
    put(enterSequence, to: record.pointee.output)
  }

  /// Ends drawing mode; does nothing when it has ended already.
  static func leave() {
    guard let record, record.pointee.isDrawing == 1 else { return }
    record.pointee.isDrawing = 0
    // In the background the terminal belongs to the shell, which has its own settings in it.
    guard isForeground() else { return }
    put(leaveSequence, to: record.pointee.output)
    tcsetattr(record.pointee.input, TCSANOW, &record.pointee.original)
  }

  /// Sets the action of a signal.
  static func handle(_ signal: Int32, with handler: @escaping @convention(c) (Int32) -> Void) {
    var action = sigaction()
    #if canImport(Darwin)
      action.__sigaction_u.__sa_handler = handler
    #else
      action.__sigaction_handler.sa_handler = handler
    #endif
    // On a stack of its own where there is one: the fault may be that the stack is full.
    action.sa_flags = Int32(SA_RESTART) | Int32(SA_ONSTACK)
    sigemptyset(&action.sa_mask)
    sigaction(signal, &action, nil)
  }

  /// Brings back what was to be done at a signal before.
  static func restorePreviousAction(of signal: Int32) {
    guard let record else { return }
    sigaction(signal, record.pointee.previous + Int(signal), nil)
  }

  private static func put(_ text: StaticString, to descriptor: Int32) {
    var done = 0
    while done < text.utf8CodeUnitCount {
      let count = write(descriptor, text.utf8Start + done, text.utf8CodeUnitCount - done)
      if count > 0 { done += count } else if errno != EINTR { return }
    }
  }
}
