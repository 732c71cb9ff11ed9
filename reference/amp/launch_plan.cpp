// Plans launches: chunks of 65536 elements, with a limited number of tensors and blocks in each
// launch (AMP-312).
#include "reference/amp/launch_plan.hpp"

#include <algorithm>
#include <utility>

namespace assay::reference {

namespace {

/// Fills launches one after another.
class Planner {
 public:
  Planner(const LaunchLimits& limits, bool empties_take_slots)
      : limits_(limits), empties_take_slots_(empties_take_slots) {}

  void add_tensor(std::size_t tensor, std::int64_t count) {
    if (count > 0 || empties_take_slots_) ++tensors_;
    for (std::int64_t first = 0; first < count; first += kChunkElements) {
      const std::int64_t rest = count - first;
      add_chunk({tensor, first, std::min(rest, kChunkElements)}, rest <= kChunkElements);
    }
  }

  void flush() {
    if (!open_.empty()) launches_.push_back(std::exchange(open_, {}));
    tensors_ = 0;
  }

  std::vector<Launch> take() { return std::move(launches_); }

 private:
  void add_chunk(const Chunk& chunk, bool is_last_of_tensor) {
    open_.push_back(chunk);
    const bool tensors_full = is_last_of_tensor && tensors_ >= limits_.most_tensors;
    const bool blocks_full = static_cast<std::int64_t>(open_.size()) == limits_.most_blocks;
    if (!tensors_full && !blocks_full) return;
    flush();
    // A partially processed tensor becomes the first one of the next launch.
    tensors_ = is_last_of_tensor ? 0 : 1;
  }

  LaunchLimits limits_;
  bool empties_take_slots_;
  std::int64_t tensors_ = 0;
  Launch open_;
  std::vector<Launch> launches_;
};

}  // namespace

std::vector<Launch> plan_launches(const std::vector<std::int64_t>& counts,
                                  const LaunchLimits& limits, bool drops_tail) {
  Planner planner(limits, drops_tail);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    planner.add_tensor(i, counts[i]);
  }
  const bool tail_is_empty = !counts.empty() && counts.back() == 0;
  if (tail_is_empty && drops_tail) return planner.take();
  planner.flush();
  return planner.take();
}

}  // namespace assay::reference
