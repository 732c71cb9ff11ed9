// The end of a capture, and other captures (CAP-003).
#include "harness/suite/clients/graph.hpp"
#include "harness/suite/itself.hpp"
#include "suites/runtime/faults/failing.hpp"

namespace assay::suites {
namespace {

/// Ends the capture on its own stream, and switches back.
void finish(Session& subject, const GraphObject& graph, const StreamObject& stream,
            const StreamObject& before) {
  subject.runtime().set_current_stream(stream);
  graph.end();
  subject.runtime().set_current_stream(before);
}

}  // namespace

CASES("runtime/graph_ends") {
  on_cuda("a_graph_that_has_not_begun_cannot_end_another_s_capture", {"CAP-003"},
          [](Session& subject) {
            expect_cuda_itself(subject);
            const auto r = subject.runtime();
            const auto word = word_on(subject, subject.device(), 1);
            const GraphClient graphs(subject);
            const auto idle = graphs.make();
            const auto busy = graphs.make();
            const auto stream = r.pool_stream();
            busy.begin({.stream = stream});
            r.store(word, 5.0);

            expect_error([&] { idle.end(); }, ErrorKind::kError, {"same stream"});

            expect_equal(r.capture_status(stream), "active");
            busy.end();
            expect_error([&] { idle.replay(); }, ErrorKind::kError, {"replay", "capture"});
            busy.replay();
            expect_word(subject, word, 5);
          });

  on_cuda("a_graph_that_is_over_cannot_end_another_s_capture", {"CAP-003"}, [](Session& subject) {
    expect_cuda_itself(subject);
    const auto r = subject.runtime();
    const auto left = word_on(subject, subject.device(), 1);
    const auto right = word_on(subject, subject.device(), 2);
    const GraphClient graphs(subject);
    const auto first = graphs.make();
    const auto second = graphs.make();
    first.begin({.stream = r.pool_stream()});
    r.store(left, 3.0);
    first.end();
    const auto stream = r.pool_stream();
    second.begin({.stream = stream});
    r.store(right, 4.0);

    expect_error([&] { first.end(); }, ErrorKind::kError, {"same stream"});

    expect_equal(r.capture_status(stream), "active");
    second.end();
    first.replay();
    second.replay();
    expect_word(subject, left, 3);
    expect_word(subject, right, 4);
  });

  on_cuda("a_graph_made_in_its_stream_cannot_end_another_s_capture", {"CAP-003"},
          [](Session& subject) {
            const auto r = subject.runtime();
            const auto stream = pool_on(subject);
            r.set_current_stream(stream);
            const GraphClient graphs(subject);
            const auto idle = graphs.make();
            const auto busy = graphs.make();
            busy.begin({.stream = stream});
            r.kernel();

            expect_error([&] { idle.end(); }, ErrorKind::kError, {"same stream"});

            expect_equal(r.capture_status(stream), "active");
            busy.end();
            busy.replay();
          })
      .only(Deviations::kStrict);

  on_cuda("of_two_captures_each_graph_ends_its_own", {"CAP-003"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto word = word_on(subject, subject.device(), 1);
    const GraphClient graphs(subject);
    const auto one = graphs.make();
    const auto other = graphs.make();
    const auto first = r.pool_stream();
    const auto second = r.pool_stream();
    const auto before = pool_on(subject);
    r.set_current_stream(before);
    one.begin({.stream = first, .mode = "relaxed"});
    r.store(word, 3.0);
    r.set_current_stream(before);
    other.begin({.stream = second, .mode = "relaxed"});
    r.kernel();

    expect_error([&] { one.end(); }, ErrorKind::kError, {"same stream"});

    expect_equal(r.capture_status(first), "active");
    expect_equal(r.capture_status(second), "active");
    finish(subject, other, second, before);
    finish(subject, one, first, before);
    one.replay();
    expect_word(subject, word, 3);
  });

  on_cuda("a_second_end_has_nothing_to_end", {"CAP-003"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto word = word_on(subject, subject.device(), 1);
    const auto graph = GraphClient(subject).make();
    const auto stream = r.pool_stream();
    graph.begin({.stream = stream});
    r.store(word, 5.0);
    graph.end();
    r.set_current_stream(stream);

    if (subject.contract().release < Release::k2_12) {
      expect_device_error(
          subject, [&] { graph.end(); }, 401);
    } else {
      expect_error([&] { graph.end(); }, ErrorKind::kError, {"capture"});
    }

    graph.replay();
    stream.synchronize();
    expect_word(subject, word, 5);
  });

  on_cuda("a_second_end_elsewhere_is_on_another_stream", {"CAP-003"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto graph = GraphClient(subject).make();
    graph.begin({.stream = r.pool_stream()});
    r.kernel();
    graph.end();

    expect_error([&] { graph.end(); }, ErrorKind::kError, {"same stream"});

    graph.replay();
  });
}

}  // namespace assay::suites
