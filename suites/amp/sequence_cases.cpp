// Every sequence of up to eight flags for update_scale, compared with a model of the
// clauses.
#include <cmath>
#include <vector>

#include "suites/amp/support.hpp"

namespace assay::suites {
namespace {

constexpr int kLongest = 8;

/// The state that the operator keeps between calls.
struct State {
  float scale = 0;
  std::int64_t tracker = 0;
};

struct Schedule {
  const char* text;
  float scale;
  double growth;
  double backoff;
  std::int64_t interval;
};

constexpr Schedule kSchedules[] = {
    {"2, 1/2, every step", 65536.0f, 2.0, 0.5, 1},
    {"2, 1/2, every second", 65536.0f, 2.0, 0.5, 2},
    {"2, 1/2, every third", 65536.0f, 2.0, 0.5, 3},
    {"2, 1/2, never in time", 65536.0f, 2.0, 0.5, 9},
    {"1.1, 0.9", 3.0f, 1.1, 0.9, 2},
    {"4, 1/8", 1.0f, 4.0, 0.125, 3},
    {"growing less than 1", 8.0f, 0.75, 1.5, 2},
    {"at the upper end", 0x1p126f, 2.0, 0.5, 1},
    {"at the lower end", 0x1p-147f, 2.0, 0.5, 2},
    {"by a third", 1.0f, 3.0, 1.0 / 3.0, 4},
};

/// AMP-102 to AMP-108.
State after(const State& state, bool overflowed, const Schedule& schedule, bool guarded) {
  const auto product = [&](double factor) {
    return static_cast<float>(static_cast<double>(state.scale) * factor);
  };
  if (overflowed) return {product(schedule.backoff), 0};
  if (state.tracker + 1 != schedule.interval) return {state.scale, state.tracker + 1};
  const float grown = product(schedule.growth);
  const bool refused = guarded && !std::isfinite(grown);
  return {refused ? state.scale : grown, 0};
}

/// A tree of flags: each node is a state, which is advanced once with each flag.
class Walk {
 public:
  Walk(Session& session, const Schedule& schedule) : session_(session), schedule_(schedule) {}

  void from(const State& state, const std::string& flags) {
    if (flags.size() == kLongest) return;
    for (const bool overflowed : {false, true}) {
      const std::string path = flags + (overflowed ? '1' : '0');
      from(step(state, overflowed, path), path);
    }
  }

 private:
  State step(const State& state, bool overflowed, const std::string& path) {
    const ScopedTrace at("flags " + path);
    const bool guarded = session_.contract().release != Release::k1_13;  // AMP-106
    const State wanted = after(state, overflowed, schedule_, guarded);

    const auto got = session_.amp().update_scale({.scale = state.scale,
                                                  .tracker = state.tracker,
                                                  .found_inf = overflowed ? 1.0f : 0.0f,
                                                  .growth = schedule_.growth,
                                                  .backoff = schedule_.backoff,
                                                  .interval = schedule_.interval});

    expect_bits(got.scale, wanted.scale);
    expect_equal(got.tracker, wanted.tracker);
    return wanted;
  }

  Session& session_;
  const Schedule& schedule_;
};

const std::vector<std::string> kClauses = {"AMP-101", "AMP-102", "AMP-103", "AMP-104",
                                           "AMP-105", "AMP-106", "AMP-107", "AMP-108"};

/// The eight flags of `pattern`, lowest bit first, applied to one pair of tensors.
void expect_live_sequence(Session& session, const Schedule& schedule, unsigned pattern) {
  const bool guarded = session.contract().release != Release::k1_13;
  const Ref scale{session.fresh_name("scale")};
  const Ref tracker{session.fresh_name("tracker")};
  session.send("core.tensor", {{"value", scalar_of(Dtype::kFloat32, schedule.scale)}}, scale.name);
  session.send("core.tensor", {{"value", scalar_of(Dtype::kInt32, 0)}}, tracker.name);
  State wanted{schedule.scale, 0};
  for (int i = 0; i < kLongest; ++i) {
    const bool overflowed = (pattern >> i & 1) != 0;
    wanted = after(wanted, overflowed, schedule, guarded);
    session.amp().update_scale({.scale = scale,
                                .tracker = tracker,
                                .found_inf = overflowed ? 1.0f : 0.0f,
                                .growth = schedule.growth,
                                .backoff = schedule.backoff,
                                .interval = schedule.interval});
  }

  const ScopedTrace at("flags " + std::to_string(pattern));
  expect_bits(field(session.send("core.read", {{"tensor", scale}}), "result"),
              scalar_of(Dtype::kFloat32, wanted.scale));
  expect_bits(field(session.send("core.read", {{"tensor", tracker}}), "result"),
              scalar_of(Dtype::kInt32, static_cast<double>(wanted.tracker)));
  session.drop(scale.name);
  session.drop(tracker.name);
}

}  // namespace

CASES("amp/sequence") {
  kernel_case("every_sequence_of_eight_flags_follows_the_model", kClauses,
              [](Session& session) {
                for (const Schedule& schedule : kSchedules) {
                  const ScopedTrace at{schedule.text};
                  Walk(session, schedule).from({schedule.scale, 0}, "");
                }
              })
      .reach(Reach::kWidth)
      .unless(Property::kFlushesSubnormals)
      .unless(Property::kDoubleScale);

  kernel_case("a_live_scale_goes_through_every_sequence_of_eight_flags", kClauses,
              [](Session& session) {
                for (const Schedule& schedule : kSchedules) {
                  const ScopedTrace at{schedule.text};
                  for (unsigned pattern = 0; pattern < 1u << kLongest; ++pattern) {
                    expect_live_sequence(session, schedule, pattern);
                  }
                }
              })
      .reach(Reach::kWidth)
      .unless(Property::kFlushesSubnormals)
      .unless(Property::kDoubleScale);
}

}  // namespace assay::suites
