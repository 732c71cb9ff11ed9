// Selects whether the host or a stream runs next.
#include "cuda_impl/on_cpu/cudart/schedule.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace assay::cuda::on_cpu {
namespace {

/// The number of unsuccessful host queries in a row after which a stream must proceed, because the
/// host may poll until the result changes.
constexpr int kMostQuestions = 2;
/// The steps among which priorities change; d - 1 changes find bugs of depth d = 3.
constexpr std::uint64_t kSteps = 60;
constexpr int kChanges = 2;
constexpr std::uint64_t kHost = 0;
constexpr std::uint64_t kLowest = 100;  ///< drawn priorities are higher, changed ones lower

[[noreturn]] void refuse(const char* variable, const char* text, const char* expected) {
  std::fprintf(stderr, "%s is '%s'; expected %s\n", variable, text, expected);
  std::_Exit(2);
}

Strategy strategy_named(const char* text) {
  const std::pair<const char*, Strategy> named[] = {{"eager", Strategy::kEager},
                                                    {"lazy", Strategy::kLazy},
                                                    {"seeded", Strategy::kSeeded},
                                                    {"pct", Strategy::kPriorities}};
  for (const auto& [name, strategy] : named) {
    if (std::string(name) == text) return strategy;
  }
  refuse("ASSAY_ON_CPU_STRATEGY", text, "eager, lazy, seeded or pct");
}

std::uint64_t seed_in(const char* text) {
  char* end = nullptr;
  const std::uint64_t seed = std::strtoull(text, &end, 10);
  if (end == text || *end != '\0') refuse("ASSAY_ON_CPU_SEED", text, "a number");
  return seed;
}

}  // namespace

Schedule::Schedule() {
  if (const char* const text = std::getenv("ASSAY_ON_CPU_STRATEGY")) usual_ = strategy_named(text);
  if (const char* const text = std::getenv("ASSAY_ON_CPU_SEED")) usual_seed_ = seed_in(text);
  reset();
}

void Schedule::set(Strategy strategy, std::uint64_t seed) {
  strategy_ = strategy;
  random_.seed(seed);
  priorities_.clear();
  changes_.clear();
  steps_ = 0;
  questions_ = 0;
  for (int i = 0; i < kChanges; ++i) changes_.push_back(1 + random_() % kSteps);
  if (strategy == Strategy::kExhaustive) path_.clear();
  place_ = 0;
}

void Schedule::reset() {
  const auto path = std::move(path_);
  set(usual_, usual_seed_);
  path_ = path;
}

void Schedule::begin(Moment moment) {
  moment_ = moment;
  questions_ = moment == Moment::kQuery ? questions_ + 1 : 0;
  budget_ = 0;
  if (strategy_ == Strategy::kLazy && moment == Moment::kQuery) budget_ = 1;
  if (strategy_ == Strategy::kSeeded && moment != Moment::kWait) budget_ = random_() % 4;
}

int Schedule::choose(const std::vector<LinePtr>& lines) {
  switch (strategy_) {
    case Strategy::kEager:
      return 0;
    case Strategy::kPriorities:
      return choose_by_priority(lines);
    case Strategy::kExhaustive:
      return choose_on_path(lines);
    case Strategy::kLazy:
    case Strategy::kManual:
    case Strategy::kSeeded:
      break;
  }
  if (budget_ == 0) return -1;
  --budget_;
  return strategy_ == Strategy::kSeeded ? static_cast<int>(random_() % lines.size()) : 0;
}

std::uint64_t& Schedule::priority_of(std::uint64_t actor) {
  const auto [found, is_new] = priorities_.try_emplace(actor, 0);
  if (is_new) found->second = kLowest + random_() % (std::uint64_t{1} << 40);
  return found->second;
}

int Schedule::choose_by_priority(const std::vector<LinePtr>& lines) {
  const bool host_may = moment_ != Moment::kWait && questions_ <= kMostQuestions;
  int best = host_may ? -1 : 0;
  const auto actor = [&](int i) {
    return i < 0 ? kHost : lines[static_cast<std::size_t>(i)]->number + 1;
  };
  for (int i = 0; i < static_cast<int>(lines.size()); ++i) {
    if (priority_of(actor(i)) > priority_of(actor(best))) best = i;
  }
  ++steps_;
  const auto change = std::find(changes_.begin(), changes_.end(), steps_);
  if (change != changes_.end()) {
    priority_of(actor(best)) = static_cast<std::uint64_t>(change - changes_.begin());
  }
  if (best >= 0) questions_ = 0;
  return best;
}

/// Only queries and waits of the host are choices; if every call were one, there would be too many
/// paths.
int Schedule::choose_on_path(const std::vector<LinePtr>& lines) {
  if (moment_ == Moment::kCall) return -1;
  const bool host_may = moment_ == Moment::kQuery && questions_ <= kMostQuestions;
  const int count = static_cast<int>(lines.size()) + (host_may ? 1 : 0);
  if (place_ == path_.size()) path_.emplace_back(0, count);
  const int taken = path_[place_++].first;
  if (host_may && taken == 0) return -1;
  questions_ = 0;
  return host_may ? taken - 1 : taken;
}

bool Schedule::next_path() {
  while (!path_.empty() && path_.back().first + 1 == path_.back().second) path_.pop_back();
  if (path_.empty()) return false;
  ++path_.back().first;
  const auto path = std::move(path_);
  set(Strategy::kExhaustive, 0);
  path_ = path;
  return true;
}

}  // namespace assay::cuda::on_cpu
