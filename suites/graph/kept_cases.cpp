// Graphs that are kept as they were captured, and the pool of a graph.
#include "suites/graph/support.hpp"

namespace assay::suites {

CASES("graph/pool") {
  on_cuda("the_pool_of_a_graph_needs_a_capture", {"CAP-006"}, [](Session& subject) {
    const Pair from(subject, 1);
    const Pair to(subject, 2);
    const auto graph = GraphClient(subject).make();
    const auto expect_refused = [&] {
      expect_error([&] { graph.pool(); }, ErrorKind::kError, words_of_cuda(subject, {"capture"}));
    };

    expect_refused();
    graph.begin();
    to.copy(from);
    expect_refused();
    graph.end();
    graph.pool();
    graph.reset();
    expect_refused();
    graph.capture([&] { to.copy(from); });
    graph.pool();
  });
}

CASES("graph/kept") {
  on_cuda("the_first_replay_makes_it_executable", {"CAP-007"}, [](Session& subject) {
    const Pair from(subject, 1);
    const Pair to(subject, 2);
    const auto graph = GraphClient(subject).make({.keep = true});
    graph.capture([&] { to.copy(from); });
    to.expect(2);

    for (const float value : {3.0F, 4.0F}) {
      from.set(value);
      graph.replay();
      to.expect(value);
    }
  }).since(Release::k2_11);

  on_cuda("instantiate_makes_it_executable_again_and_again", {"CAP-007"}, [](Session& subject) {
    const Pair from(subject, 1);
    const Pair to(subject, 2);
    const auto graph = GraphClient(subject).make({.keep = true});
    graph.capture([&] { to.copy(from); });

    for (const float value : {3.0F, 4.0F}) {
      graph.instantiate();
      graph.instantiate();
      from.set(value);
      graph.replay();
      to.expect(value);
    }
  }).since(Release::k2_11);

  on_cuda("instantiate_needs_a_capture_and_a_kept_graph", {"CAP-007"}, [](Session& subject) {
    const Pair from(subject, 1);
    const Pair to(subject, 2);
    for (const bool keep : {true, false}) {
      const ScopedTrace at(keep ? "kept" : "not kept");
      const auto graph = GraphClient(subject).make({.keep = keep});
      expect_error([&] { graph.instantiate(); }, ErrorKind::kError,
                   words_of_cuda(subject, {"capture_end"}));
      graph.capture([&] { to.copy(from); });
      if (keep) {
        graph.instantiate();
      } else {
        expect_error([&] { graph.instantiate(); }, ErrorKind::kError,
                     words_of_cuda(subject, {"keep_graph"}));
      }
      graph.replay();
      graph.reset();
      expect_error([&] { graph.instantiate(); }, ErrorKind::kError,
                   words_of_cuda(subject, {"capture_end"}));
    }
  }).since(Release::k2_11);

  on_cuda("it_is_still_kept_after_a_reset", {"CAP-007", "CAP-003"}, [](Session& subject) {
    const Pair from(subject, 1);
    const Pair to(subject, 2);
    const auto graph = GraphClient(subject).make({.keep = true});
    graph.capture([&] { to.copy(from); });
    graph.replay();
    expect_error([&] { graph.begin(); }, ErrorKind::kError,
                 words_of_cuda(subject, {"already owns a captured graph"}));

    graph.reset();
    expect_error([&] { graph.replay(); }, ErrorKind::kError, words_of_cuda(subject, {"capture"}));
    graph.capture([&] { from.copy(to); });
    graph.instantiate();
    to.set(5);
    graph.replay();

    from.expect(5);
  }).since(Release::k2_11);

  on_cuda("it_holds_its_capture_before_it_is_executable", {"CAP-007"},
          [](Session& subject) {
            const Pair from(subject, 1);
            const Pair to(subject, 2);
            const auto graph = GraphClient(subject).make({.keep = true});
            graph.capture([&] { to.copy(from); });

            expect_error([&] { graph.begin(); }, ErrorKind::kError,
                         words_of_cuda(subject, {"already owns a captured graph"}));

            graph.replay();
            to.expect(1);
          })
      .since(Release::k2_11)
      .only(Deviations::kStrict);
}

}  // namespace assay::suites
