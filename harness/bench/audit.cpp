// Compares what the subject claims with what the harness waited.
#include "harness/bench/audit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "harness/measure/batch.hpp"
#include "harness/measure/calibration.hpp"

namespace assay::bench {
namespace {

using measure::Batches;
using measure::LoopCall;
using measure::WatchedBatch;

constexpr int kTries = 3;
constexpr std::size_t kBatches = 8;
/// Shorter batches are not measured well across a pipe.
constexpr double kShortestWait = 1e6;
/// Nothing is prepared for longer.
constexpr double kLongestWait = 2e9;
constexpr std::int64_t kMostIterations = std::int64_t{1} << 26;
/// Clocks of a device and of the host run at slightly different speeds.
constexpr double kDrift = 1.02;
/// A clock may be read this early or late.
constexpr double kReading = 2000;

/// How the wait for an iteration is related to its claimed time.
enum class Relation : std::uint8_t {
  kSame,    ///< the harness waits for what is timed and little else
  kWithin,  ///< the harness also waits for work that is not timed
};

Relation relation_of(const LoopCall& call) {
  const std::string clock = measure::text_of(call.arguments, "clock", "");
  const bool is_hot = measure::text_of(call.arguments, "l2", "hot") == "hot";
  return clock == "launch" || clock == "activity" || !is_hot ? Relation::kWithin : Relation::kSame;
}

/// `410 ns`, `38.21 us`
std::string duration(double ns) {
  if (ns < 1000) return fmt::format("{:.4g} ns", ns);
  if (ns < 1e6) return fmt::format("{:.4g} us", ns / 1e3);
  return fmt::format("{:.4g} ms", ns / 1e6);
}

/// Batches of n iterations, each from an unknown seed.
class Watched {
 public:
  Watched(Batches& batches, std::int64_t n) {
    const auto times = static_cast<double>(n);
    std::vector<WatchedBatch> all;
    while (all.size() < kBatches && impossible_.empty()) {
      preparation_ = std::min(preparation_, seen(batches.watch(1)).waited);
      all.push_back(seen(batches.watch(n)));
    }
    for (const WatchedBatch& batch : all) {
      const double waited = std::max(0.0, batch.waited - preparation_) / times;
      const double claimed = batch.claimed / times;
      claimed_ = std::min(claimed_, claimed);
      shortest_wait_ = std::min(shortest_wait_, waited);
      // Whatever interrupts a batch lengthens both alike.
      if (&batch != &all.front() && waited * claimed_beside_ > waited_ * claimed) continue;
      waited_ = waited;
      claimed_beside_ = claimed;
    }
  }

  /// The shortest time that was claimed for an iteration.
  double claimed() const { return claimed_; }
  /// The shortest wait for an iteration, without preparations: interruptions only lengthen it.
  double shortest_wait() const { return shortest_wait_; }
  /// The shortest wait for a batch of one iteration, which is little but its preparation.
  double preparation() const { return preparation_; }
  /// Without preparations, in the batch that waited least beyond what it claimed.
  double waited() const { return waited_; }
  double claimed_beside() const { return claimed_beside_; }
  /// A batch that claims more than the harness waited for it; empty if there was none.
  const std::string& impossible() const { return impossible_; }

 private:
  WatchedBatch seen(const WatchedBatch& batch) {
    if (batch.claimed > kDrift * batch.waited + kReading) {
      impossible_ = fmt::format("claimed {} for a batch that was answered after {}",
                                duration(batch.claimed), duration(batch.waited));
    }
    return batch;
  }

  double claimed_ = std::numeric_limits<double>::max();
  double shortest_wait_ = std::numeric_limits<double>::max();
  double preparation_ = std::numeric_limits<double>::max();
  double waited_ = 0;
  double claimed_beside_ = 0;
  std::string impossible_;
};

/// What is subtracted as preparation must not be most of the wait: whoever answers a batch of one
/// iteration late would hide the others.
bool hides_in_preparation(const Watched& seen, std::int64_t n) {
  return seen.shortest_wait() * static_cast<double>(n) < seen.preparation();
}

/// Batches that are long enough to be measured, or as long as is sensible.
Watched long_enough(Batches& batches, std::int64_t& n) {
  Watched seen(batches, n);
  const auto is_long = [&] {
    const bool is_measured = seen.waited() * static_cast<double>(n) >= kShortestWait;
    return is_measured && !hides_in_preparation(seen, n);
  };
  const auto is_sensible = [&] { return n < kMostIterations && seen.preparation() < kLongestWait; };
  while (seen.impossible().empty() && !is_long() && is_sensible()) {
    n *= 4;
    seen = Watched(batches, n);
  }
  return seen;
}

std::string why_refused(const LoopCall& call, double claimed, const Watched& seen) {
  if (!seen.impossible().empty()) return seen.impossible();
  if (claimed * kMostDifference < seen.claimed()) {
    return fmt::format("claimed {} for an iteration when it was timed, and {} from unknown seeds",
                       duration(claimed), duration(seen.claimed()));
  }
  if (relation_of(call) == Relation::kWithin) return "";
  if (seen.claimed_beside() * kMostDifference < seen.waited()) {
    return fmt::format("claimed {} for an iteration, the harness waited {}",
                       duration(seen.claimed_beside()), duration(seen.waited()));
  }
  if (claimed * kMostDifference >= seen.shortest_wait()) return "";
  return fmt::format("claimed {} for an iteration, the harness never waited less than {}",
                     duration(claimed), duration(seen.shortest_wait()));
}

/// The time of the same calls by another clock, if the subject has it.
std::optional<double> claimed_by(const std::string& clock, Link& link, LoopCall call,
                                 std::int64_t n) {
  std::erase_if(call.arguments, [](const auto& argument) { return argument.first == "l2"; });
  for (auto& [name, value] : call.arguments) {
    if (name == "clock") value = clock;
  }
  try {
    return Batches(link, call).watch(n).claimed / static_cast<double>(n);
  } catch (const measure::LoopMissing&) {
    return std::nullopt;
  }
}

/// Where the harness waits for more than is timed, the subject's own times by two clocks are held
/// against each other; that of the device is itself compared with the wait.
std::string against_other_clocks(Link& link, const LoopCall& call, double claimed, double waited,
                                 std::int64_t n) {
  const std::string clock = measure::text_of(call.arguments, "clock", "");
  const bool is_hot = measure::text_of(call.arguments, "l2", "hot") == "hot";
  if (clock == "device" && is_hot) {
    const auto busy = claimed_by("activity", link, call, n);
    if (!busy || *busy <= kMostDifference * claimed) return "";
    return fmt::format("claimed {} between two events, {} by the profiler's records",
                       duration(claimed), duration(*busy));
  }
  if (relation_of(call) == Relation::kSame) return "";
  const auto device = claimed_by("device", link, call, n);
  if (!device) return "";
  if (clock == "launch") {
    if (waited <= kMostDifference * (claimed + *device)) return "";
    return fmt::format("claimed {} for a launch and {} on the device, the harness waited {}",
                       duration(claimed), duration(*device), duration(waited));
  }
  // By the profiler's records gaps do not count, by a cold cache more time passes.
  constexpr double kOrderOfMagnitude = 10;
  if (*device <= kOrderOfMagnitude * claimed) return "";
  return fmt::format("claimed {} by the clock '{}', {} between two events", duration(claimed),
                     clock, duration(*device));
}

/// Whoever answers a batch of one iteration late hides the others behind it.
std::string hidden(const LoopCall& call, const Watched& seen, std::int64_t n) {
  if (relation_of(call) == Relation::kWithin || !hides_in_preparation(seen, n)) return "";
  return fmt::format("answers a batch of one iteration after {}, which hides the time of {}",
                     duration(seen.preparation()), n);
}

/// No iteration is shorter than the steps of its checksum, which depend on each other.
std::string below_the_checksum(const LoopCall& call, double claimed, double step_ns) {
  const double steps = step_ns * static_cast<double>(call.loop->steps.size());
  if (!measure::text_of(call.arguments, "clock", "").empty()) return "";
  if (claimed * kMostDifference >= steps) return "";
  return fmt::format("claimed {} for an iteration, whose checksum alone takes {} here",
                     duration(claimed), duration(steps));
}

}  // namespace

Audit Auditor::audit(Link& link, const LoopCall& call, double claimed, std::int64_t n) const {
  Batches batches(link, call);
  Audit audit;
  for (int i = 0; i < kTries; ++i) {
    const Watched seen = long_enough(batches, n);
    audit.waited = seen.waited();
    audit.refusal = why_refused(call, claimed, seen);
    if (audit.refusal.empty()) audit.refusal = below_the_checksum(call, claimed, step_ns_);
    if (audit.refusal.empty()) audit.refusal = hidden(call, seen, n);
    if (audit.refusal.empty()) break;
  }
  if (audit.refusal.empty())
    audit.refusal = against_other_clocks(link, call, claimed, audit.waited, n);
  return audit;
}

void Auditor::check(Link& link, const LoopCall& call) const {
  Batches(link, call).check_from_unknown_seeds();
}

std::string refusal_by_count(const measure::Loop& loop, double claimed_ns, double instructions) {
  constexpr double kMostInNanosecond = 8 * 6;  // by any processor, at 6 GHz
  constexpr double kFewestInStep = 2;          // a product and a sum
  const auto steps = static_cast<double>(loop.steps.size());
  if (instructions > kMostInNanosecond * claimed_ns) {
    return fmt::format("claimed {} for an iteration of {:g} instructions", duration(claimed_ns),
                       instructions);
  }
  if (instructions >= kFewestInStep * steps) return "";
  return fmt::format("an iteration has {:g} instructions, fewer than its checksum takes",
                     instructions);
}

Auditor auditor_here() {
  return Auditor(
      std::ranges::min(measure::calibrate({}).empty_loop));  // other work only adds to it
}

}  // namespace assay::bench
