// Snapshots of a thread's state, used on another thread.
#include "suites/autocast/casting.hpp"

namespace assay::suites {
namespace {

struct RegionState {
  Value enabled, dtype, cache, nesting;
};

/// The state of a worker thread under the snapshot `state`.
RegionState under_snapshot(Session& subject, const Target& target, const Ref& state) {
  Command restore;
  restore.verb = "dispatch.restore";
  restore.with = {{"state", state}};
  Command scope;
  scope.verb = "scope";
  scope.enter = {restore};
  scope.body = subject.block([&](Session& inner) {
    inner.autocast().is_enabled(target.type);
    inner.autocast().dtype(target.type);
    inner.autocast().is_cache_enabled();
    inner.autocast().nesting(1);
    inner.autocast().nesting(-1);
  });
  const std::vector<Reply> replies = subject.on("worker", {scope});
  const std::vector<Reply>& body = replies.at(0).replies;
  return {.enabled = field(body.at(0), "result"),
          .dtype = field(body.at(1), "result"),
          .cache = field(body.at(2), "result"),
          .nesting = field(body.at(3), "result")};
}

/// The same for a region with another dtype and without a cache.
RegionState of_a_region(Session& subject, const Target& target) {
  const Ref state{subject.fresh_name("state")};
  const RegionOptions options{.device = target.type, .dtype = target.other, .cache_enabled = false};
  inside(subject, options, [&] { subject.send("dispatch.thread_state", {}, state.name); });
  return under_snapshot(subject, target, state);
}

}  // namespace

CASES("autocast/snapshot") {
  conformance("carries_the_flags_and_the_types", {"CAST-111"}, [](Session& subject) {
    const Target target = target_of(subject);

    const RegionState seen = of_a_region(subject, target);

    expect_equal(seen.enabled, true);
    expect_equal(seen.dtype, target.other);
  }).since(Release::k2_11);

  conformance("carried_the_flags_and_not_the_types", {"CAST-111"},
              [](Session& subject) {
                const Target target = target_of(subject);

                const RegionState seen = of_a_region(subject, target);

                expect_equal(seen.enabled, true);
                expect_equal(seen.dtype, target.low);
              })
      .until(Release::k2_4)
      .except(Release::k1_13, DeviceRules::kCpu);

  conformance("carries_neither_the_cache_flag_nor_the_nesting", {"CAST-111"}, [](Session& subject) {
    const Target target = target_of(subject);

    const RegionState seen = of_a_region(subject, target);

    expect_equal(seen.cache, true);
    expect_equal(seen.nesting, 1);
  }).except(Release::k1_13, DeviceRules::kCpu);

  conformance("leaving_it_restores_the_workers_state", {"CAST-111"}, [](Session& subject) {
    const Target target = target_of(subject);
    of_a_region(subject, target);

    const std::vector<Value> after = on_thread(subject, "worker", [&](Session& inner) {
      inner.autocast().is_enabled(target.type);
      inner.autocast().dtype(target.type);
    });

    expect_equal(after.at(0), false);
    expect_equal(after.at(1), target.low);
  }).except(Release::k1_13, DeviceRules::kCpu);

  conformance("without_one_a_worker_has_the_defaults", {"CAST-111", "CAST-104"},
              [](Session& subject) {
                const Target target = target_of(subject);
                inside(subject, target, [&] {
                  const std::vector<Value> seen = on_thread(subject, "worker", [&](Session& inner) {
                    inner.autocast().is_enabled(target.type);
                    inner.autocast().is_cache_enabled();
                    inner.autocast().nesting(1);
                    inner.autocast().nesting(-1);
                  });
                  expect_equal(seen.at(0), false);
                  expect_equal(seen.at(1), true);
                  expect_equal(seen.at(2), 1);
                });
              });
}

}  // namespace assay::suites
