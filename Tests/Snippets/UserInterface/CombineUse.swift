// Code of the articles "SwiftUI" and "UIKit" that uses Combine. Type-checked everywhere by `.ci/apple`.

#if canImport(Combine)
  import Combine
  import SwiftReactor

  // snippet.assign
  @MainActor
  final class CountModel {
    var text: String? = ""
    private var cancellables: Set<AnyCancellable> = []

    init(_ reactor: ExampleReactor) {
      reactor.$state
        .map { "\($0.count)" }
        .removeDuplicates()
        .assign(to: \.text, on: self)
        .store(in: &cancellables)
    }
  }
  // snippet.end

  // snippet.publisher
  final class FeedReactor: BaseReactor<FeedReactor.Action, FeedReactor.Mutation, [String]>,
    @unchecked Sendable  // safe: its only property is a constant
  {
    enum Action { case load }
    enum Mutation { case clear, add(String) }

    private let titles: @Sendable () -> AnyPublisher<String, any Error>

    init(titles: @escaping @Sendable () -> AnyPublisher<String, any Error>) {
      self.titles = titles
      super.init(initialState: [])
    }

    override func mutate(action: Action) -> Mutations<Mutation> {
      switch action {
      case .load:
        Mutations(sync: .clear, async: titles().map { Mutation.add($0) })
      }
    }

    override func reduce(into state: inout [String], mutation: Mutation) {
      switch mutation {
      case .clear: state = []
      case .add(let title): state.append(title)
      }
    }
  }
// snippet.end
#endif
