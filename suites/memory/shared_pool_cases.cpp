// Captures that share a pool of memory (CAP-006). To other devices than CUDA, the pool is a hint.
#include <optional>
#include <string>
#include <utility>

#include "harness/suite/clients/graph.hpp"
#include "harness/suite/itself.hpp"
#include "suites/memory/support.hpp"

namespace assay::suites {
namespace {

/// Of the large pool, which PyTorch's own numbers do not use.
constexpr std::int64_t kSize = 12 * kMiB;
constexpr const char* kReserved = "reserved_bytes.large_pool.current";

/// A graph in whose capture one block was allocated on the capture's stream.
struct Captured {
  Captured(Session& subject, const StreamObject& stream, std::optional<Value> pool = {})
      : graph(GraphClient(subject).make()), block(allocated(subject, stream, std::move(pool))) {
    address = block.info().address;
  }
  Ref pool() const { return graph.pool(); }

  GraphObject graph;
  MemoryBlock block;
  std::int64_t address = 0;

 private:
  MemoryBlock allocated(Session& subject, const StreamObject& stream,
                        std::optional<Value> pool) const {
    graph.begin({.stream = stream, .pool = std::move(pool)});
    MemoryBlock made = subject.memory().allocate(kSize, {.stream = stream});
    graph.end();
    return made;
  }
};

}  // namespace

CASES("memory/shared_pools") {
  const auto of_pools = [](std::string name, void (*body)(Session&)) -> CaseOptions {
    return on_cuda(std::move(name), {"CAP-006"}, [body](Session& subject) {
      expect_cuda_itself(subject);
      body(subject);
    });
  };

  of_pools("captures_share_what_was_let_go", [](Session& subject) {
    const auto stream = subject.runtime().pool_stream();
    const Captured first(subject, stream);
    first.block.free();

    const Captured second(subject, stream, first.pool());

    expect_equal(second.address, first.address);
  });

  of_pools("a_pool_can_be_named_before_any_capture", [](Session& subject) {
    const auto stream = subject.runtime().pool_stream();
    const Ref one = GraphClient(subject).pool_handle();
    const Ref other = GraphClient(subject).pool_handle();
    const Captured first(subject, stream, one);
    first.block.free();

    const Captured second(subject, stream, other);
    const Captured third(subject, stream, one);

    expect_true(second.address != first.address, "each name is another pool");
    expect_equal(third.address, first.address);
  });

  of_pools("what_is_in_use_is_shared_with_nobody", [](Session& subject) {
    const auto stream = subject.runtime().pool_stream();
    const Captured first(subject, stream);

    const Captured second(subject, stream, first.pool());

    expect_true(second.address != first.address, "the second block is another one");
  });

  of_pools("a_capture_without_a_given_pool_has_its_own", [](Session& subject) {
    const auto stream = subject.runtime().pool_stream();
    const Captured first(subject, stream);
    first.block.free();

    const Captured second(subject, stream);
    const MemoryBlock outside = subject.memory().allocate(kSize, {.stream = stream});

    expect_true(second.address != first.address, "another capture gets other memory");
    expect_true(outside.info().address != first.address, "so do others than captures");
  });

  of_pools("other_streams_share_nothing", [](Session& subject) {
    const Captured first(subject, subject.runtime().pool_stream());
    first.block.free();

    const Captured second(subject, subject.runtime().pool_stream(), first.pool());

    expect_true(second.address != first.address, "the block is of another stream");
  });

  of_pools("a_later_capture_may_be_on_another_stream", [](Session& subject) {
    const Captured first(subject, subject.runtime().pool_stream());
    const auto stream = subject.runtime().pool_stream();
    const Captured second(subject, stream, first.pool());
    second.block.free();
    const MemoryBlock outside = subject.memory().allocate(kSize, {.stream = stream});

    const Captured third(subject, stream, first.pool());

    expect_true(outside.info().address != second.address, "the block is of the pool");

    expect_equal(third.address, second.address);
  });

  of_pools("a_pool_outlives_the_graph_that_it_came_from", [](Session& subject) {
    const auto stream = subject.runtime().pool_stream();
    const Captured first(subject, stream);
    const Ref pool = first.pool();
    const Captured second(subject, stream, pool);
    second.block.free();

    first.graph.reset();
    const Captured third(subject, stream, pool);

    expect_equal(third.address, second.address);
  });

  of_pools("a_pool_without_graphs_begins_anew", [](Session& subject) {
    const auto stream = subject.runtime().pool_stream();
    const Captured first(subject, stream);
    const Ref pool = first.pool();
    first.graph.reset();

    const Captured second(subject, stream, pool);
    second.block.free();
    const Captured third(subject, stream, pool);

    expect_equal(third.address, second.address);
  }).only(Deviations::kStrict);

  of_pools("a_pool_has_a_part_on_each_device", [](Session& subject) {
    const auto r = subject.runtime();
    const Ref pool = GraphClient(subject).pool_handle();
    const auto here = r.pool_stream();
    const Captured first(subject, here, pool);
    first.block.free();
    r.set_device(subject.device(1));
    const Captured there(subject, r.pool_stream(), pool);
    r.set_device(subject.device(0));

    const Captured second(subject, here, pool);

    expect_equal(second.address, first.address);
  });

  of_pools("memory_is_kept_while_the_last_graph_lives", [](Session& subject) {
    const auto stream = subject.runtime().pool_stream();
    const Captured first(subject, stream);
    first.block.free();
    const Captured second(subject, stream, first.pool());
    second.block.free();

    first.graph.reset();
    subject.memory().empty_cache();
    expect_counters(subject, {{kReserved, kSize}});

    second.graph.reset();
    subject.memory().empty_cache();
    expect_counters(subject, {{kReserved, 0}});
  });

  of_pools("one_graph_at_a_time_captures_into_a_pool", [](Session& subject) {
    const auto r = subject.runtime();
    const auto stream = r.pool_stream();
    const Ref pool = GraphClient(subject).pool_handle();
    const auto first = GraphClient(subject).make();
    const auto second = GraphClient(subject).make();
    first.begin({.stream = stream, .mode = "relaxed", .pool = pool});
    r.kernel();
    r.set_current_stream(r.default_stream());

    expect_error([&] { second.begin({.mode = "relaxed", .pool = pool}); }, ErrorKind::kError,
                 {"already recording"});

    r.set_current_stream(stream);
    first.end();
    first.replay();
    second.begin({.mode = "relaxed", .pool = pool});
    r.kernel();
    second.end();
    second.replay();
  });
}

}  // namespace assay::suites
