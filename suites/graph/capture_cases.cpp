// Graphs: the effects of capture and replay, and the lifetime of graphs.
#include "harness/suite/clients/runtime.hpp"
#include "harness/suite/itself.hpp"
#include "suites/graph/support.hpp"

namespace assay::suites {
namespace {

void expect_nothing_to_replay(const Session& subject, const GraphObject& graph) {
  std::vector<std::string> tokens = {"capture"};
  if (subject.contract().release < Release::k2_14) tokens.emplace_back("replay");
  expect_error([&] { graph.replay(); }, ErrorKind::kError, words_of_cuda(subject, tokens));
}

}  // namespace

CASES("graph/capture") {
  on_cuda("runs_nothing", {"CAP-001"}, [](Session& subject) {
    const Pair from(subject, 1);
    const Pair to(subject, 2);

    const auto graph = GraphClient(subject).of([&] { to.copy(from); });

    to.expect(2);
    graph.replay();
    to.expect(1);
  });

  on_cuda("is_under_way_from_begin_to_end", {"CAP-001", "CAP-003"}, [](Session& subject) {
    const GraphClient graphs(subject);
    const Pair pair(subject, 1);
    const auto graph = graphs.make();
    expect_false(graphs.is_capturing(), "it has not begun");
    graph.begin();
    expect_true(graphs.is_capturing(), "it has begun");
    pair.copy(Pair::copied(subject, pair));
    graph.end();
    expect_false(graphs.is_capturing(), "it is over");
  });

  on_cuda("takes_no_values", {"CAP-001"}, [](Session& subject) {
    const Pair pair(subject, 1);
    const auto graph = GraphClient(subject).make();
    graph.begin();
    Command command;
    command.verb = "core.copy_";
    command.with = {{"dst", pair}, {"src", f32({5, 5})}};
    expect_true(subject.ask(std::move(command)).status == Reply::Status::kInvalid,
                "what is captured has a name");
    pair.copy(Pair::copied(subject, pair));
    graph.end();
    pair.expect(1);
  });
}

CASES("graph/replay") {
  on_cuda("reads_what_is_there_when_it_runs", {"CAP-002"}, [](Session& subject) {
    const Pair from(subject, 1);
    const Pair to(subject, 0);
    const auto graph = GraphClient(subject).of([&] { to.copy(from); });

    for (const float value : {4.0F, -0.0F, kInf, 0x1p-149F, 7.0F}) {
      from.set(value);
      graph.replay();
      to.expect(value);
    }
  });

  on_cuda("runs_everything_in_its_order_every_time", {"CAP-002"}, [](Session& subject) {
    const Pair first(subject, 1);
    const Pair second(subject, 2);
    const Pair third(subject, 3);
    const Pair fourth(subject, 4);
    const auto graph = GraphClient(subject).of([&] {
      fourth.copy(third);
      third.copy(second);
      second.copy(first);
    });

    graph.replay();
    fourth.expect(3);
    third.expect(2);
    second.expect(1);
    first.set(9);
    graph.replay();
    graph.replay();
    fourth.expect(1);
    third.expect(9);
    second.expect(9);
  });

  on_cuda("of_one_graph_leaves_others_alone", {"CAP-002"}, [](Session& subject) {
    const GraphClient graphs(subject);
    const Pair from(subject, 1);
    const Pair left(subject, 2);
    const Pair right(subject, 3);
    const auto to_left = graphs.of([&] { left.copy(from); });
    const auto to_right = graphs.of([&] { right.copy(from); });

    to_left.replay();
    left.expect(1);
    right.expect(3);
    from.set(4);
    to_right.replay();
    left.expect(1);
    right.expect(4);
  });

  on_cuda("needs_a_capture", {"CAP-003"}, [](Session& subject) {
    const auto graph = GraphClient(subject).make();
    expect_nothing_to_replay(subject, graph);
    const Pair from(subject, 1);
    const Pair to(subject, 2);
    graph.capture([&] { to.copy(from); });
    graph.replay();
    graph.reset();
    to.set(3);
    expect_nothing_to_replay(subject, graph);
    to.expect(3);
  });
}

CASES("graph/life") {
  on_cuda("has_one_capture_unless_it_is_reset", {"CAP-003"}, [](Session& subject) {
    const Pair from(subject, 1);
    const Pair to(subject, 2);
    const auto graph = GraphClient(subject).of([&] { to.copy(from); });
    expect_error([&] { graph.begin(); }, ErrorKind::kError,
                 words_of_cuda(subject, {"already owns a captured graph"}));
    expect_false(GraphClient(subject).is_capturing(), "nothing began");

    graph.reset();
    graph.capture([&] { from.copy(to); });
    graph.replay();

    from.expect(2);
    to.expect(2);
  });

  on_cuda("an_end_needs_a_begin", {"CAP-003"}, [](Session& subject) {
    const auto graph = GraphClient(subject).make();
    expect_device_error(
        subject, [&] { graph.end(); }, 401);
    expect_nothing_to_replay(subject, graph);
  }).until(Release::k2_11);

  on_cuda("an_end_without_a_begin_is_an_error", {"CAP-003"}, [](Session& subject) {
    const Contract& contract = subject.contract();
    const bool is_unreadable =
        subject.device().type == "cuda" && !contract.strict() && contract.release >= Release::k2_13;
    const auto graph = GraphClient(subject).make();

    expect_error([&] { graph.end(); }, is_unreadable ? ErrorKind::kValue : ErrorKind::kError,
                 words_of_cuda(subject, is_unreadable ? std::vector<std::string>{}
                                                      : std::vector<std::string>{"capture"}));
    expect_nothing_to_replay(subject, graph);
  }).since(Release::k2_12);

  on_cuda("an_end_of_a_graph_that_captured_before_is_an_error", {"CAP-003"}, [](Session& subject) {
    expect_cuda_itself(subject);
    const Pair from(subject, 1);
    const Pair to(subject, 2);
    const auto stream = subject.runtime().pool_stream();
    const auto graph = GraphClient(subject).make();
    graph.capture([&] { to.copy(from); }, {.stream = stream});
    graph.reset();
    subject.runtime().set_current_stream(stream);

    expect_error([&] { graph.end(); }, ErrorKind::kError, {"capture"});

    expect_nothing_to_replay(subject, graph);
  }).since(Release::k2_12);

  on_cuda("an_end_after_a_reset_is_an_error", {"CAP-003"}, [](Session& subject) {
    const Pair from(subject, 1);
    const Pair to(subject, 2);
    const auto graph = GraphClient(subject).of([&] { to.copy(from); });
    graph.reset();
    // Since its latest capture, the stream of which it is asked for is that of the capture.
    expect_error([&] { graph.end(); }, ErrorKind::kError, words_of_cuda(subject, {"same stream"}));
    expect_nothing_to_replay(subject, graph);
  });

  on_cuda("nothing_captured_is_worth_a_warning", {"CAP-003"}, [](Session& subject) {
    expect_cuda_itself(subject);
    const Pair pair(subject, 1);
    const auto graph = GraphClient(subject).make();
    graph.begin();
    graph.end();
    expect_warning(subject.warnings(), "UserWarning", {"empty"});
    graph.replay();
    graph.replay();
    pair.expect(1);
  }).since(Release::k2_4);

  on_cuda("something_captured_is_worth_none", {"CAP-003"}, [](Session& subject) {
    const Pair pair(subject, 1);
    const auto graph = GraphClient(subject).make();
    graph.begin();
    pair.copy(Pair::copied(subject, pair));
    graph.end();
    expect_equal(static_cast<std::int64_t>(subject.warnings().size()), std::int64_t{0});
  });

  on_cuda("a_capture_begins_in_no_capture", {"CAP-003"}, [](Session& subject) {
    const GraphClient graphs(subject);
    const Pair from(subject, 1);
    const Pair to(subject, 2);
    const auto outer = graphs.make();
    const auto inner = graphs.make();
    outer.begin();
    expect_error([&] { inner.begin(); }, ErrorKind::kError);
    to.copy(from);
    outer.end();
    outer.replay();
    to.expect(1);
  });

  conformance("without_devices_there_are_none", {"CAP-003"}, [](Session& subject) {
    expect_error([&] { GraphClient(subject).make(); }, ErrorKind::kError, {"CUDAGraph"});
    expect_error([&] { GraphClient(subject).is_capturing(); }, ErrorKind::kError);
  }).only(DeviceRules::kCpu);
}

CASES("graph/refused") {
  on_cuda("a_number_spoils_the_capture", {"CAP-004"}, [](Session& subject) {
    expect_cuda_itself(subject);
    const Pair from(subject, 1);
    const Pair to(subject, 2);
    const std::string one = subject.fresh_name("one");
    subject.send("core.as_strided",
                 {{"tensor", from}, {"shape", List{{1}}}, {"strides", List{{1}}}}, one);
    const auto graph = GraphClient(subject).make();
    graph.begin();
    expect_device_error(
        subject,
        [&] {
          subject.send("core.item", {{"tensor", Ref{one}}});
        },
        900);
    expect_device_error(
        subject, [&] { to.copy(from); }, 901);
    expect_device_error(
        subject, [&] { graph.end(); }, 901);

    expect_false(GraphClient(subject).is_capturing(), "it is over");
    expect_nothing_to_replay(subject, graph);
    to.expect(2);
    to.copy(from);
    to.expect(1);
  });

  on_cuda("after_a_spoilt_capture_the_next_one_is_good", {"CAP-003", "CAP-004"},
          [](Session& subject) {
            expect_cuda_itself(subject);
            const Pair from(subject, 1);
            const Pair to(subject, 2);
            const std::string one = subject.fresh_name("one");
            subject.send("core.as_strided",
                         {{"tensor", from}, {"shape", List{{1}}}, {"strides", List{{1}}}}, one);
            const auto graph = GraphClient(subject).make();
            graph.begin();
            expect_device_error(
                subject,
                [&] {
                  subject.send("core.item", {{"tensor", Ref{one}}});
                },
                900);
            expect_device_error(
                subject, [&] { graph.end(); }, 901);

            graph.capture([&] { to.copy(from); });
            graph.replay();

            to.expect(1);
          })
      .since(Release::k2_11);

  on_cuda("a_copy_to_the_host_is_refused_and_spoils_nothing", {"CAP-004"}, [](Session& subject) {
    expect_cuda_itself(subject);
    const Pair from(subject, 1);
    const Pair to(subject, 2);
    const auto graph = GraphClient(subject).make();
    graph.begin();
    to.copy(from);
    expect_error(
        [&] {
          subject.core().to(from, {.device = Device{"cpu", -1}});
        },
        ErrorKind::kError, {"pin"});
    from.copy(to);
    graph.end();
    graph.replay();
    to.expect(1);
  }).since(Release::k2_11);

  on_cuda("a_copy_to_the_host_was_a_wait", {"CAP-004"}, [](Session& subject) {
    const Pair from(subject, 1);
    const auto graph = GraphClient(subject).make();
    graph.begin();
    expect_device_error(
        subject,
        [&] {
          subject.core().to(from, {.device = Device{"cpu", -1}});
        },
        900);
    expect_device_error(
        subject, [&] { graph.end(); }, 901);
    from.expect(1);
  }).until(Release::k2_4);
}

CASES("graph/memory") {
  on_cuda("of_a_result_is_what_the_latest_replay_wrote", {"CAP-005", "CAP-002"},
          [](Session& subject) {
            const Pair from(subject, 1);
            const auto graph = GraphClient(subject).make();
            graph.begin();
            const Pair made = Pair::copied(subject, from);
            graph.end();
            for (const float value : {2.0F, 3.0F}) {
              from.set(value);
              graph.replay();
              made.expect(value);
            }
          });

  on_cuda("that_was_let_go_belongs_to_the_graph", {"CAP-005"}, [](Session& subject) {
    const Pair from(subject, 1);
    const Pair to(subject, 2);
    const auto graph = GraphClient(subject).make();
    graph.begin();
    const Pair between = Pair::copied(subject, from);
    to.copy(between);
    between.drop();
    graph.end();
    std::vector<Pair> others;
    for (int i = 0; i < 8; ++i) others.emplace_back(subject, 10 + static_cast<float>(i));

    from.set(5);
    graph.replay();

    to.expect(5);
    for (int i = 0; i < 8; ++i) {
      others[static_cast<std::size_t>(i)].expect(10 + static_cast<float>(i));
    }
  });

  on_cuda("of_a_result_outlives_the_graph", {"CAP-005"}, [](Session& subject) {
    const Pair from(subject, 6);
    const auto graph = GraphClient(subject).make();
    graph.begin();
    const Pair made = Pair::copied(subject, from);
    graph.end();
    graph.replay();

    subject.drop(graph.name());
    const Pair other(subject, 7);

    made.expect(6);
    other.expect(7);
  });

  on_cuda("from_outside_is_not_freed_by_replays", {"CAP-005"}, [](Session& subject) {
    const Pair from(subject, 1);
    const Pair to(subject, 2);
    const Pair outside(subject, 3);
    const auto graph = GraphClient(subject).make();
    graph.begin();
    to.copy(from);
    outside.drop();
    graph.end();
    const Pair other(subject, 4);
    for (const float value : {5.0F, 6.0F, 7.0F}) {
      from.set(value);
      graph.replay();
      to.expect(value);
      other.expect(4);
    }
  });

  on_cuda("of_a_graph_that_is_gone_is_no_hindrance_to_the_next", {"CAP-003", "CAP-005"},
          [](Session& subject) {
            const Pair from(subject, 1);
            const Pair to(subject, 2);
            const auto whole = GraphClient(subject).of([&] { to.copy(from); });
            whole.replay();
            subject.drop(whole.name());
            const auto next = GraphClient(subject).of([&] { from.copy(to); });
            to.set(8);
            next.replay();
            from.expect(8);
          });
}

}  // namespace assay::suites
