// The options of the program.

import BenchCore
import Testing

@Suite("Options")
struct OptionTests {
  @Test("Without options everything is measured")
  func nothing() throws {
    let options = try BenchOptions([])
    #expect(options.names.isEmpty)
    #expect(options.json == nil && options.compare == nil)
    #expect(!options.scales && !options.lists && !options.showsHelp)
    #expect(options.effort == Effort())
  }

  @Test("Workloads are named in any case, each once, in the order given")
  func names() throws {
    #expect(try BenchOptions(["w10", "W1", "W10", "Hops"]).names == ["W10", "W1", "hops"])
  }

  @Test("Values come behind their option, or behind an equals sign")
  func values() throws {
    let options = try BenchOptions(["--json", "a.json", "--compare=b=c.json", "--repeats", "7", "--microseconds=20"])
    #expect(options.json == "a.json")
    #expect(options.compare == "b=c.json")
    #expect(options.effort.repeats == 7)
    #expect(options.effort.microseconds == 20)
  }

  @Test(
    "What does not exist is one line that says so",
    arguments: [
      (["W11"], "unknown workload \"W11\"; see bench --list"),
      (["--jsn", "x"], "unknown option \"--jsn\"; see bench --help"),
      (["--json"], "--json needs a value; see bench --help"),
      (["--repeats", "0"], "--repeats needs a number from 1 to 10000, not \"0\"; see bench --help"),
      (["a\nb"], "unknown workload \"a?b\"; see bench --list"),
    ])
  func mistakes(arguments: [String], message: String) {
    #expect {
      try BenchOptions(arguments)
    } throws: {
      "\($0)" == message
    }
  }

  @Test("There is a workload for every number that is asked for")
  func workloads() {
    #expect(Workload.all.map(\.name) == (1...10).map { "W\($0)" } + ["hops"])
  }
}
