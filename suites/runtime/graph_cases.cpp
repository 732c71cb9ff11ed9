// Graphs and streams: where captures and replays run.
#include "harness/suite/clients/graph.hpp"
#include "harness/suite/itself.hpp"
#include "suites/runtime/faults/failing.hpp"

namespace assay::suites {
namespace {

/// A gate in front of all launches of the thread, which works on that stream.
GateObject close(Session& subject, const StreamObject& stream) {
  subject.runtime().set_current_stream(stream);
  return subject.runtime().gate(stream);
}

}  // namespace

CASES("runtime/graphs") {
  on_cuda("a_capture_makes_its_stream_current_until_its_end", {"CAP-003"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto before = pool_on(subject);
    const auto chosen = r.pool_stream();
    r.set_current_stream(before);
    const auto graph = GraphClient(subject).make();

    graph.begin({.stream = chosen});
    expect_same(r.current_stream().value(), chosen.value());
    expect_equal(r.capture_status(chosen), "active");
    r.kernel();
    graph.end();

    expect_same(r.current_stream().value(), before.value());
    expect_equal(r.capture_status(chosen), "none");
  });

  on_cuda("a_capture_without_a_stream_takes_none_that_is_in_use", {"CAP-003"},
          [](Session& subject) {
            const auto r = subject.runtime();
            const auto before = pool_on(subject);
            r.set_current_stream(before);
            const auto graph = GraphClient(subject).make();
            graph.begin();
            expect_true(r.current_stream().id() != before.id(), "it is another stream");
            expect_true(r.current_stream().id() != 0, "it is not the default stream");
            r.kernel();
            graph.end();
            expect_same(r.current_stream().value(), before.value());
          });

  on_cuda("a_spoilt_capture_gives_the_stream_back", {"CAP-003", "CAP-004"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto before = pool_on(subject);
    r.set_current_stream(before);
    const auto graph = GraphClient(subject).make();
    graph.begin();
    expect_device_error(
        subject, [&] { r.current_stream().query(); }, 900);
    expect_device_error(
        subject, [&] { graph.end(); }, 901);
    expect_same(r.current_stream().value(), before.value());
  });

  on_cuda("the_default_stream_takes_no_capture", {"CAP-003", "STR-028"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto before = pool_on(subject);
    r.set_current_stream(before);
    const auto graph = GraphClient(subject).make();
    expect_error([&] { graph.begin({.stream = r.default_stream()}); }, ErrorKind::kError,
                 {"must be captured on a non-default stream"});
    expect_same(r.current_stream().value(), before.value());
  });

  on_cuda("a_capture_ends_on_its_own_stream", {"CAP-003"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto chosen = r.pool_stream();
    const auto graph = GraphClient(subject).make();
    graph.begin({.stream = chosen});
    r.kernel();
    r.set_current_stream(r.pool_stream());
    expect_error([&] { graph.end(); }, ErrorKind::kError, {"same stream"});
    r.set_current_stream(chosen);
    graph.end();
    graph.replay();
  });

  on_cuda("a_replay_goes_into_the_current_stream", {"CAP-002"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto word = word_on(subject, subject.device(), 1);
    const auto graph = GraphClient(subject).of([&] { r.store(word, 5.0); });
    const auto stream = pool_on(subject);
    const auto gate = close(subject, stream);

    graph.replay();

    const auto other = pool_on(subject);
    r.set_current_stream(other);
    expect_bits(subject.core().read(word), f32({1}));
    gate.open();
    stream.synchronize();
    expect_bits(subject.core().read(word), f32({5}));
  });

  on_cuda("the_host_does_not_wait_for_a_replay", {"CAP-002"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto word = word_on(subject, subject.device(), 1);
    const auto graph = GraphClient(subject).of([&] { r.store(word, 5.0); });
    const auto stream = pool_on(subject);
    const auto gate = close(subject, stream);

    graph.replay();

    expect_equal(gate.state(), "closed");
    expect_false(stream.query(), "the replay is behind the gate");
    gate.open();
    stream.synchronize();
    expect_word(subject, word, 5);
  });

  on_cuda("replays_come_one_after_the_other", {"CAP-002"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto first = word_on(subject, subject.device(), 1);
    const auto second = word_on(subject, subject.device(), 2);
    const auto third = word_on(subject, subject.device(), 3);
    const auto graph = GraphClient(subject).of([&] {
      subject.core().copy_(third, second);
      subject.core().copy_(second, first);
      r.store(first, 7.0);
    });
    const auto stream = pool_on(subject);
    const auto gate = close(subject, stream);
    graph.replay();
    graph.replay();
    gate.open();
    stream.synchronize();
    expect_word(subject, third, 1);
    expect_word(subject, second, 7);
  });

  on_cuda("waiting_for_the_device_spoils_a_capture", {"CAP-004"}, [](Session& subject) {
    expect_cuda_itself(subject);
    const auto r = subject.runtime();
    const auto graph = GraphClient(subject).make();
    graph.begin();
    expect_device_error(
        subject, [&] { r.synchronize_device(); }, 900);
    expect_device_error(
        subject, [&] { graph.end(); }, 901);
    r.synchronize_device();
  });

  on_cuda("a_capture_begins_while_another_stream_captures", {"CAP-003"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto left = word_on(subject, subject.device(), 1);
    const auto right = word_on(subject, subject.device(), 2);
    const GraphClient graphs(subject);
    const auto one = graphs.make();
    const auto other = graphs.make();
    const auto first = r.pool_stream();
    const auto second = r.pool_stream();
    const auto before = pool_on(subject);
    r.set_current_stream(before);
    one.begin({.stream = first, .mode = "relaxed"});
    r.store(left, 3.0);
    r.set_current_stream(before);
    other.begin({.stream = second, .mode = "relaxed"});
    r.store(right, 4.0);
    other.end();
    r.set_current_stream(first);
    one.end();
    r.set_current_stream(before);

    one.replay();
    expect_word(subject, left, 3);
    expect_word(subject, right, 2);
    other.replay();
    expect_word(subject, right, 4);
  });
}

}  // namespace assay::suites
