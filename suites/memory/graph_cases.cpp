// The memory of graphs in the allocator's counters (CAP-005).
#include "harness/suite/clients/core.hpp"
#include "harness/suite/clients/graph.hpp"
#include "harness/suite/itself.hpp"
#include "suites/memory/support.hpp"

namespace assay::suites {
namespace {

/// Copies to a tensor of 12 MiB, which has its own segment.
std::string copied(Session& subject, const Ref& from) {
  std::string name = subject.fresh_name("copy");
  subject.send("core.to", {{"tensor", from}, {"copy", true}}, name);
  return name;
}

Ref large(Session& subject) {
  return subject.core().empty({.shape = {3 * kMiB}, .dtype = Dtype::kFloat32});
}

}  // namespace

CASES("memory/graph") {
  on_cuda("what_a_capture_let_go_is_kept_while_the_graph_lives", {"CAP-005", "MEM-023"},
          [](Session& subject) {
            expect_cuda_itself(subject);
            const Ref from = large(subject);
            const auto graph = GraphClient(subject).make();
            graph.begin();
            const std::string temporary = copied(subject, from);
            subject.drop(temporary);
            graph.end();

            subject.memory().empty_cache();
            expect_counters(subject, {{"segment.large_pool.current", 2}});
            graph.replay();
            subject.drop(graph.name());
            subject.memory().empty_cache();
            expect_counters(subject, {{"segment.large_pool.current", 1}});
          });

  on_cuda("what_a_capture_made_is_kept_while_the_tensor_lives", {"CAP-005", "MEM-023"},
          [](Session& subject) {
            expect_cuda_itself(subject);
            const Ref from = large(subject);
            const auto graph = GraphClient(subject).make();
            graph.begin();
            const std::string made = copied(subject, from);
            graph.end();
            graph.replay();

            subject.drop(graph.name());
            subject.memory().empty_cache();
            expect_counters(subject, {{"segment.large_pool.current", 2}});
            subject.drop(made);
            subject.memory().empty_cache();
            expect_counters(subject, {{"segment.large_pool.current", 1}});
          });

  on_cuda("a_reset_gives_it_back", {"CAP-005", "MEM-023"}, [](Session& subject) {
    expect_cuda_itself(subject);
    const Ref from = large(subject);
    const auto graph = GraphClient(subject).make();
    graph.begin();
    subject.drop(copied(subject, from));
    graph.end();

    graph.reset();

    subject.memory().empty_cache();
    expect_counters(subject, {{"segment.large_pool.current", 1}});
  });
}

}  // namespace assay::suites
