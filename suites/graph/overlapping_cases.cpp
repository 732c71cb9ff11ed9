// Captures of one thread that are in progress at the same time.
#include "harness/suite/clients/runtime.hpp"
#include "suites/graph/support.hpp"

namespace assay::suites {
namespace {

/// Two captures on streams of their own, each of one copy; the current stream is another.
struct Two {
  explicit Two(Session& session) : subject(session) {
    begin(first, first_stream, first_result);
    begin(second, second_stream, second_result);
  }

  void begin(const GraphObject& graph, const StreamObject& stream, const Pair& result) const {
    graph.begin({.stream = stream, .mode = "relaxed"});
    result.copy(source);
    subject.runtime().set_current_stream(home);
  }

  void end(const GraphObject& graph, const StreamObject& stream) const {
    subject.runtime().set_current_stream(stream);
    graph.end();
    subject.runtime().set_current_stream(home);
  }

  void expect_replays() const {
    first.replay();
    second.replay();
    first_result.expect(1);
    second_result.expect(1);
  }

  Session& subject;
  StreamObject home = subject.runtime().pool_stream();
  StreamObject first_stream = subject.runtime().pool_stream();
  StreamObject second_stream = subject.runtime().pool_stream();
  Pair source{subject, 1};
  Pair first_result{subject, 0};
  Pair second_result{subject, 0};
  GraphObject first = GraphClient(subject).make();
  GraphObject second = GraphClient(subject).make();
};

}  // namespace

CASES("graph/overlapping") {
  on_cuda("captures_end_in_the_order_of_their_beginning", {"CAP-002", "CAP-003"},
          [](Session& subject) {
            const Two captures(subject);
            captures.end(captures.first, captures.first_stream);
            captures.end(captures.second, captures.second_stream);
            captures.expect_replays();
            Pair(subject, 2).expect(2);
          });

  on_cuda("captures_end_in_the_other_order", {"CAP-002", "CAP-003"}, [](Session& subject) {
    const Two captures(subject);
    captures.end(captures.second, captures.second_stream);
    captures.end(captures.first, captures.first_stream);
    captures.expect_replays();
    Pair(subject, 2).expect(2);
  });
}

}  // namespace assay::suites
