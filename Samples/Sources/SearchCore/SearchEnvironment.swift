// What the search needs from the world outside: the index as an async stream, a search that takes its time, a clock.

internal import Dispatch
internal import Foundation
internal import SampleProgram

/// A piece of the index, in the order of the file.
package enum IndexPiece: Sendable, Hashable {
  /// The first piece: which file it is, and how many bytes it has, if that is known.
  case opened(name: String, size: Int?)
  /// Packages, how many entries between them could not be understood, and how many bytes were read for them.
  case packages(IndexSegment, broken: Int, bytes: Int)
}

package struct SearchEnvironment: Sendable {
  /// Opens the index and hands it over piece by piece, each when it is asked for. Throws a ``FileFailure``.
  package var read: @Sendable () -> AsyncThrowingStream<IndexPiece, any Error>
  /// Searches all of an index, off the queue.
  package var search: @Sendable (PackageIndex, SearchQuery) async -> SearchResults
  /// How long nothing may be typed before a search begins.
  package var pause: Duration
  package var clock: any Clock<Duration>

  package init(
    read: @escaping @Sendable () -> AsyncThrowingStream<IndexPiece, any Error>,
    search: @escaping @Sendable (PackageIndex, SearchQuery) async -> SearchResults = { SearchResults($1, in: $0) },
    pause: Duration = .milliseconds(25), clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.read = read
    self.search = search
    self.pause = pause
    self.clock = clock
  }

  /// Keys of a pasted text come closer together than this, and nobody sees a delay of it: with the search that follows it
  /// is about the time of one picture.
  package static let livePause = Duration.milliseconds(8)

  /// Reads a file of packages. A delay before each piece makes the progress visible.
  package static func live(_ source: IndexSource, delay: Duration = .zero) -> SearchEnvironment {
    SearchEnvironment(
      read: {
        let reading = IndexReading(source)
        return AsyncThrowingStream {
          if delay > .zero { try await ContinuousClock().sleep(for: delay) }
          return try await reading.next()
        }
      }, pause: livePause)
  }

  /// Hands over these pieces, each after `next`, which may wait or throw.
  package static func fake(
    _ pieces: [IndexPiece], clock: any Clock<Duration> = ContinuousClock(),
    next: @escaping @Sendable (Int) async throws -> Void = { _ in }
  ) -> SearchEnvironment {
    SearchEnvironment(
      read: {
        let numbers = Numbers()
        return AsyncThrowingStream {
          let number = numbers.next()
          try await next(number)
          return number < pieces.count ? pieces[number] : nil
        }
      }, clock: clock)
  }

  /// Answers every call with a failure, and tells of it.
  package static func failing(_ unexpected: @escaping @Sendable (String) -> Void) -> SearchEnvironment {
    SearchEnvironment(
      read: {
        unexpected("read")
        return AsyncThrowingStream { throw FileFailure("nowhere", "there is no such file") }
      },
      search: { index, query in
        unexpected("search(\(query.text))")
        return SearchResults(query, generation: index.generation)
      })
  }
}

/// Counts from nought. An iterator asks for one element after the other, so nothing is guarded.
private final class Numbers: @unchecked Sendable {
  private var last = -1

  func next() -> Int {
    last += 1
    return last
  }
}

/// Where the packages come from.
package enum IndexSource: Sendable, Hashable {
  case file(String)
  /// The packages of this machine, or the built-in ones where it has no such list.
  case machine
  case builtIn

  package static let status = "/var/lib/dpkg/status"

  fileprivate func path() throws(FileFailure) -> String {
    switch self {
    case .file(let path): return path
    case .machine where (try? FileReader(Self.status))?.size != nil: return Self.status
    case .machine, .builtIn:
      guard BuiltInFiles.areThere(for: "SearchCore"),
        let url = Bundle.module.url(forResource: "packages", withExtension: "txt")
      else { throw BuiltInFiles.missing("the built-in list") }
      return url.path
    }
  }

  fileprivate func name(of path: String) -> String {
    switch self {
    case .file(let path): path
    case .machine where path == Self.status: path
    case .machine, .builtIn: "the built-in list"
    }
  }
}

/// Reads an index in pieces, each when it is asked for: who reads slowly does not fill the memory.
private final class IndexReading: @unchecked Sendable {
  // Safe to share: only blocks of its serial queue use what changes.
  private static let pieceSize = 131_072
  private static let largestFile = 2 << 30
  private static let longestWithoutEntry = 16 << 20

  /// Reading blocks, for ever if the file is a pipe that nobody writes to: no task's thread may wait for it.
  private let queue = DispatchQueue(label: "reading of packages")
  private let source: IndexSource
  private var file: FileReader?
  private var parser = IndexParser()
  private var bytes = 0
  private var packages = 0
  private var isOver = false

  init(_ source: IndexSource) {
    self.source = source
  }

  func next() async throws -> IndexPiece? {
    try await withCheckedThrowingContinuation { continuation in
      queue.async {
        continuation.resume(with: Result { try self.readNext() })
      }
    }
  }

  private func readNext() throws -> IndexPiece? {
    if isOver { return nil }
    guard let file else {
      let path = try source.path()
      let file = try FileReader(path)
      self.file = file
      return .opened(name: source.name(of: path), size: file.size)
    }
    let piece = try file.read(upTo: Self.pieceSize)
    if bytes == 0 { try check(beginning: piece, of: file) }
    bytes += piece.count
    let parsed = piece.isEmpty ? parser.finish() : parser.take(piece)
    packages += parsed.segment.count
    if piece.isEmpty {
      isOver = true
      if packages == 0 { throw Self.noPackages(file.path) }
      if let size = file.size, bytes < size {
        throw FileFailure(file.path, "it became shorter while it was read", advice: "read it again")
      }
    } else if packages == 0, bytes > Self.longestWithoutEntry {
      throw Self.noPackages(file.path)
    } else if bytes > Self.largestFile {
      throw FileFailure(file.path, "more than \(Self.largestFile >> 30) GB")
    }
    return .packages(parsed.segment, broken: parsed.broken, bytes: piece.count)
  }

  private func check(beginning: [UInt8], of file: FileReader) throws(FileFailure) {
    if beginning.isEmpty { throw FileFailure(file.path, "the file is empty") }
    if beginning.starts(with: [0x1F, 0x8B]) || beginning.contains(0) {
      throw FileFailure(
        file.path, "this is no text",
        advice: "unpack it first if it is compressed, or give another file with --file PATH"
      )
    }
  }

  private static func noPackages(_ path: String) -> FileFailure {
    FileFailure(
      path, "there is no package in it",
      advice: "needed is what `apt-cache dumpavail` prints: paragraphs of `Package: NAME`, `Version: ...` and so on")
  }
}
