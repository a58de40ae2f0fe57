// Reads a file in pieces, and says in one line why it cannot.

internal import Foundation
internal import TerminalScreen

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#endif

/// Why a file cannot be used: one line, with the file, what is wrong and what to do.
package struct FileFailure: Error, Hashable, CustomStringConvertible {
  package let file: String
  package let reason: String
  package let advice: String

  package init(_ file: String, _ reason: String, advice: String = FileFailure.anotherFile) {
    self.file = file.isEmpty ? "\"\"" : file
    self.reason = reason
    self.advice = advice
  }

  /// Names of files and texts from files may hold anything, also line ends.
  package var description: String { TextWidth.printable("\(file): \(reason); \(advice)") }

  package static let anotherFile = "give another file with --file PATH, or leave the option out"
}

/// An open file. Reading blocks, for ever if it is a pipe that nobody writes to: call it on a queue of its own.
package final class FileReader {
  package let path: String
  /// The bytes of a file that has so many; nil for a pipe or a device.
  package let size: Int?
  private let descriptor: Int32

  package init(_ path: String) throws(FileFailure) {
    let descriptor = open(path, O_RDONLY)
    guard descriptor >= 0 else { throw Self.failure(path, errno) }
    var about = stat()
    guard fstat(descriptor, &about) == 0 else {
      let code = errno
      close(descriptor)
      throw Self.failure(path, code)
    }
    guard about.st_mode & S_IFMT != S_IFDIR else {
      close(descriptor)
      throw Self.failure(path, EISDIR)
    }
    self.path = path
    self.descriptor = descriptor
    // Files of the system that are made while they are read say that they have no bytes.
    size = about.st_mode & S_IFMT == S_IFREG && about.st_size > 0 ? Int(about.st_size) : nil
  }

  deinit { close(descriptor) }

  /// The next bytes, some at least; none at the end.
  package func read(upTo count: Int) throws(FileFailure) -> [UInt8] {
    var code: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      while true {
        let read = systemRead(descriptor, buffer)
        if read < 0, errno == EINTR { continue }
        if read < 0 { code = errno }
        initialized = max(0, read)
        return
      }
    }
    guard code == 0 else { throw Self.failure(path, code) }
    return bytes
  }

  /// All bytes of a file of at most so many megabytes; nothing of one that is longer, also of one without an end.
  package static func contents(of path: String, megabytes: Int) throws(FileFailure) -> [UInt8] {
    let file = try FileReader(path)
    var contents: [UInt8] = []
    while true {
      let piece = try file.read(upTo: 65_536)
      if piece.isEmpty { return contents }
      contents += piece
      if contents.count > megabytes * 1_048_576 { throw FileFailure(path, "more than \(megabytes) MB") }
    }
  }

  /// Whether a path is that of a pipe: what is read from it is gone. False for a path that leads nowhere.
  package static func isPipe(_ path: String) -> Bool {
    var about = stat()
    return stat(path, &about) == 0 && about.st_mode & S_IFMT == S_IFIFO
  }

  private static func failure(_ path: String, _ code: Int32) -> FileFailure {
    switch code {
    case ENOENT: FileFailure(path, "there is no such file", advice: "check the path, or leave --file out")
    case EISDIR: FileFailure(path, "this is a directory", advice: "give a file in it")
    case EACCES: FileFailure(path, "permission denied", advice: "make it readable, or give another file")
    default: FileFailure(path, "the file cannot be read (\(String(cString: strerror(code))))")
    }
  }
}

/// The files that come with a program, in a folder beside it.
package enum BuiltInFiles {
  /// Whether the folder of a target is beside the program. Ask before `Bundle.module`, which ends the program when its
  /// folder is missing.
  package static func areThere(for target: String) -> Bool {
    let places = [Bundle.main.bundleURL, Bundle.main.resourceURL].compactMap { $0 }
    let names = ["Samples_\(target).resources", "Samples_\(target).bundle"]
    return places.contains { place in
      names.contains { FileManager.default.fileExists(atPath: place.appendingPathComponent($0).path) }
    }
  }

  /// What to throw when it is not.
  package static func missing(_ what: String) -> FileFailure {
    FileFailure(
      what, "the folder it comes in is not beside the program",
      advice: "build the program again, or give a file with --file PATH")
  }
}

// Outside the class, whose own `read` would hide the system's.
private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
  read(descriptor, buffer.baseAddress, buffer.count)
}
