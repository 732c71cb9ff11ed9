// Stream pools: ids, round-robin, lazy creation, wrap-around.
#include <algorithm>
#include <set>

#include "harness/suite/itself.hpp"
#include "harness/suite/reading.hpp"
#include "suites/runtime/support.hpp"

namespace assay::suites {
namespace {

constexpr std::int64_t kPool = 32;

std::int64_t levels_of(Session& subject) {
  const PriorityRange range = subject.runtime().priority_range();
  return range.least - range.greatest + 1;
}

/// The pool index in a native id.
std::int64_t index_of(const Session& subject, std::int64_t id) {
  return is_old(subject) ? id >> 3 : id >> 5;
}

std::vector<std::int64_t> indices(Session& subject, const PoolStreamOptions& options, int times) {
  std::vector<std::int64_t> found;
  for (int i = 0; i < times; ++i) {
    found.push_back(index_of(subject, subject.runtime().pool_stream(options).id()));
  }
  return found;
}

std::vector<std::int64_t> counting_from(std::int64_t first, int times) {
  std::vector<std::int64_t> wanted;
  for (int i = 0; i < times; ++i) wanted.push_back((first + i) % kPool);
  return wanted;
}

}  // namespace

CASES("runtime/pool") {
  on_cuda(
      "ids_of_the_lowest_level", {"STR-009", "STR-013"},
      [](Session& subject) {
        expect_cuda_itself(subject);
        std::vector<std::int64_t> ids;
        for (int i = 0; i < 33; ++i) ids.push_back(subject.runtime().pool_stream().id());
        expect_equal({ids[0], ids[1], ids[2], ids[30], ids[31], ids[32]}, {3, 35, 67, 963, 995, 3});
      })
      .since(Release::k2_4)
      .fresh();

  on_cuda("ids_of_higher_levels", {"STR-009"},
          [](Session& subject) {
            expect_cuda_itself(subject);
            for (const std::int64_t level : {1, 2, 3}) {
              const ScopedTrace row("level " + std::to_string(level));
              std::vector<std::int64_t> ids;
              for (int i = 0; i < 32; ++i) {
                ids.push_back(subject.runtime().pool_stream({.priority = -level}).id());
              }
              const std::int64_t first = (level + 1) * 2 + 1;
              expect_equal({ids.front(), ids.back()}, {first, first + 31 * 32});
            }
          })
      .since(Release::k2_4)
      .fresh();

  on_cuda(
      "ids_of_1_13", {"STR-010", "STR-013"},
      [](Session& subject) {
        for (const bool high : {false, true}) {
          const ScopedTrace row(high ? "high" : "low");
          std::vector<std::int64_t> ids;
          for (int i = 0; i < 33; ++i) {
            ids.push_back(subject.runtime().pool_stream({.high = high}).id());
          }
          const std::int64_t first = high ? 2 : 1;
          expect_equal({ids[0], ids[1], ids[31], ids[32]}, {first, first + 8, first + 248, first});
        }
      })
      .until(Release::k1_13)
      .fresh();

  on_cuda("requests_go_round", {"STR-013"}, [](Session& subject) {
    expect_cuda_itself(subject);
    const PoolStreamOptions here{.device = subject.device()};
    const auto got = indices(subject, here, 70);
    expect_equal(got, counting_from(got.front(), 70));
  });

  on_cuda("the_200th_request_has_index_7", {"STR-013"}, [](Session& subject) {
    expect_cuda_itself(subject);
    const auto got = indices(subject, {.device = subject.device()}, 200);
    expect_equal(got.back(), (got.front() + 199) % kPool);
  });

  on_cuda("the_33rd_stream_is_the_first", {"STR-013"}, [](Session& subject) {
    expect_cuda_itself(subject);
    const auto r = subject.runtime();
    const auto first = r.pool_stream({.device = subject.device()});
    std::set<std::int64_t> handles{first.handle().handle};
    for (int i = 0; i < 31; ++i) {
      handles.insert(r.pool_stream({.device = subject.device()}).handle().handle);
    }
    const auto again = r.pool_stream({.device = subject.device()});
    expect_equal(static_cast<std::int64_t>(handles.size()), 32);
    expect_true(r.equal(first, again), "it is the same stream");
    expect_equal(first.handle().handle, again.handle().handle);
  });

  on_cuda("work_in_the_33rd_waits_for_work_in_the_first", {"STR-013"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto first = pool_on(subject);
    for (int i = 0; i < 31; ++i) r.pool_stream({.device = subject.device()});
    const auto again = r.pool_stream({.device = subject.device()});
    const auto gate = r.gate(first);
    r.kernel({.stream = again});
    expect_false(again.query(), "it stands behind the gate");
    gate.open();
    again.synchronize();
    expect_true(first.query(), "both are the same queue");
  });

  on_cuda("levels_and_devices_count_for_themselves", {"STR-013"}, [](Session& subject) {
    const Device here = subject.device(0);
    const Device there = subject.device(1);
    const auto start = [&](const PoolStreamOptions& options) {
      return indices(subject, options, 1).front();
    };
    const auto low = start({.device = here, .high = false});
    const auto high = start({.device = here, .high = true});
    const auto other = start({.device = there, .high = false});
    for (int i = 1; i <= 5; ++i) {
      expect_equal(start({.device = here, .high = false}), (low + i) % kPool);
    }
    expect_equal(start({.device = here, .high = true}), (high + 1) % kPool);
    expect_equal(start({.device = there, .high = false}), (other + 1) % kPool);
  });

  on_cuda("streams_of_levels_and_devices_are_all_different", {"STR-013", "STR-015"},
          [](Session& subject) {
            std::set<std::int64_t> handles;
            for (const int device : {0, 1}) {
              for (const bool high : {false, true}) {
                for (int i = 0; i < 32; ++i) {
                  const auto stream = subject.runtime().pool_stream(
                      {.device = subject.device(device), .high = high});
                  handles.insert(stream.handle().handle);
                }
              }
            }
            expect_equal(static_cast<std::int64_t>(handles.size()), 128);
          });

  on_cuda("making_a_pool_leaves_its_counter", {"STR-013", "STR-015"}, [](Session& subject) {
    subject.sim().counter(subject.device(), 0, 5);
    const auto got = indices(subject, {.device = subject.device()}, 3);
    expect_equal(got, counting_from(5, 3));
  }).fresh();

  on_cuda("the_counter_may_overflow", {"STR-013"}, [](Session& subject) {
    subject.runtime().pool_stream({.device = subject.device()});
    subject.sim().counter(subject.device(), 0, (std::int64_t{1} << 32) - 3);
    const auto got = indices(subject, {.device = subject.device()}, 6);
    expect_equal(got, counting_from(29, 6));
  });

  on_cuda("the_counter_may_pass_what_31_bits_hold", {"STR-013"}, [](Session& subject) {
    subject.runtime().pool_stream({.device = subject.device()});
    subject.sim().counter(subject.device(), 0, (std::int64_t{1} << 31) - 2);
    const auto got = indices(subject, {.device = subject.device()}, 6);
    expect_equal(got, counting_from(30, 6));
  });

  on_cuda("a_busy_stream_is_not_skipped", {"STR-013", "STR-028"}, [](Session& subject) {
    const auto r = subject.runtime();
    const auto first = pool_on(subject);
    const auto gate = r.gate(first);
    const auto got = indices(subject, {.device = subject.device()}, 32);
    gate.open();
    expect_equal(got, counting_from(index_of(subject, first.id()) + 1, 32));
    first.synchronize();
  });

  on_cuda("threads_get_every_index_equally_often", {"STR-014"}, [](Session& subject) {
    expect_cuda_itself(subject);
    subject.runtime().pool_stream({.device = subject.device()});
    Block observe;
    std::vector<std::pair<std::string, Block>> threads;
    for (int t = 0; t < 8; ++t) {
      std::vector<StreamObject> taken;
      Block takes = subject.block([&](Session& s) {
        for (int i = 0; i < 4; ++i) {
          taken.push_back(s.runtime().pool_stream({.device = subject.device()}));
        }
      });
      Block asks = subject.block([&](Session&) {
        for (const StreamObject& stream : taken) stream.info();
      });
      threads.emplace_back("t" + std::to_string(t), std::move(takes));
      std::move(asks.begin(), asks.end(), std::back_inserter(observe));
    }

    const Reply reply = subject.together(std::move(threads), 25, std::move(observe));

    for (const Value& outcome : field_as<List>(reply, "outcomes").items) {
      std::set<std::int64_t> seen;
      const Value& list = held_in<Dict>(outcome).items.at(0).second;
      for (const Value& ok : held_in<List>(list).items) {
        for (const auto& [name, value] : held_in<Dict>(ok).items) {
          const std::string* text = name.get_if<std::string>();
          if (text != nullptr && *text == "id") {
            seen.insert(index_of(subject, held_in<std::int64_t>(value)));
          }
        }
      }
      expect_equal(static_cast<std::int64_t>(seen.size()), kPool);
      expect_true(*seen.begin() == 0 && *seen.rbegin() == kPool - 1, "indices are 0 to 31");
    }
  });

  on_cuda("threads_lose_no_request", {"STR-014"}, [](Session& subject) {
    expect_cuda_itself(subject);
    const PoolStreamOptions here{.device = subject.device()};
    const auto first = indices(subject, here, 1).front();
    std::vector<std::pair<std::string, Block>> threads;
    for (int t = 0; t < 8; ++t) {
      threads.emplace_back("t" + std::to_string(t), subject.block([&](Session& s) {
        for (int i = 0; i < 100; ++i) s.runtime().pool_stream(here);
      }));
    }

    subject.together(std::move(threads), 1);

    expect_equal(indices(subject, here, 1).front(), (first + 801) % kPool);
  });
}

CASES("runtime/pool_making") {
  on_cuda("no_stream_is_made_before_the_first_request", {"STR-015", "STR-011"},
          [](Session& subject) {
            const auto r = subject.runtime();
            subject.sim().log();
            r.default_stream();
            r.default_stream(subject.device(1));
            r.current_stream();
            r.current_stream(subject.device(1));
            r.external_stream(0x100, subject.device(1));
            expect_equal(count_calls(subject, "stream_create"), 0);
          })
      .fresh();

  on_cuda("the_first_request_makes_them_all", {"STR-015"}, [](Session& subject) {
    const auto r = subject.runtime();
    const std::int64_t all = kPool * levels_of(subject);
    subject.sim().log();
    r.pool_stream({.device = subject.device(1)});
    expect_equal(count_calls(subject, "stream_create"), all);
    for (const bool high : {false, true, false}) {
      r.pool_stream({.device = subject.device(1), .high = high});
    }
    expect_equal(count_calls(subject, "stream_create"), 0);
    r.pool_stream({.device = subject.device(0)});
    expect_equal(count_calls(subject, "stream_create"), all);
  }).fresh();

  on_cuda("making_a_pool_keeps_the_current_device", {"STR-015"}, [](Session& subject) {
    subject.device(2);
    subject.runtime().set_device(subject.device(2));
    subject.runtime().pool_stream({.device = subject.device(1)});
    expect_at(subject.runtime().get_device(), subject.device(2));
  }).fresh();

  on_cuda("a_pool_is_made_on_its_own_device", {"STR-015"}, [](Session& subject) {
    subject.runtime().pool_stream({.device = subject.device(1)});
    const auto contexts = subject.sim().contexts();
    expect_true(std::find(contexts.begin(), contexts.end(), 1) != contexts.end(),
                "device 1 has a context");
    subject.device(2);
    expect_true(std::find(contexts.begin(), contexts.end(), 2) == contexts.end(),
                "device 2 has none");
  }).fresh();

  on_cuda("streams_of_a_pool_are_not_destroyed", {"STR-015"}, [](Session& subject) {
    const auto stream = subject.runtime().pool_stream();
    const auto live = subject.sim().live().streams;
    subject.sim().log();
    stream.drop();
    expect_equal(count_calls(subject, "stream_destroy"), 0);
    expect_equal(subject.sim().live().streams, live);
  });

  on_cuda("each_has_the_priority_of_its_level", {"STR-015", "STR-016"}, [](Session& subject) {
    const std::int64_t levels = levels_of(subject);
    for (std::int64_t level = 0; level < levels; ++level) {
      const ScopedTrace row("level " + std::to_string(level));
      const auto stream = subject.runtime().pool_stream({.priority = -level});
      expect_equal(stream.priority(), -level);
    }
  });
}

}  // namespace assay::suites
