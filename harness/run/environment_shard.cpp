// Reads the shard from the environment.
#include "harness/run/environment_shard.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

#include "harness/console/usage_error.hpp"

namespace assay {
namespace {

/// A system that says the index of a job, and mostly the number of jobs.
struct System {
  const char* name;
  const char* index;
  const char* count;  ///< null if it has no such variable
  std::size_t first;  ///< the lowest index
};

constexpr System kArray{"a Slurm array", "SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", 0};
constexpr std::array<System, 5> kOthers{{
    {"a Slurm task", "SLURM_PROCID", "SLURM_NTASKS", 0},
    {"a Kubernetes indexed job", "JOB_COMPLETION_INDEX", nullptr, 0},
    {"GitLab CI", "CI_NODE_INDEX", "CI_NODE_TOTAL", 1},
    {"CircleCI", "CIRCLE_NODE_INDEX", "CIRCLE_NODE_TOTAL", 0},
    {"Buildkite", "BUILDKITE_PARALLEL_JOB", "BUILDKITE_PARALLEL_JOB_COUNT", 0},
}};

[[noreturn]] void refuse(const std::string& why) {
  throw UsageError(fmt::format("--shard auto: {}", why));
}

std::string value_of(const Variables& variable, const char* name) {
  const char* text = variable(name);
  return text == nullptr ? "" : text;
}

/// Refuses a value that is missing or no number.
std::size_t number_in(const Variables& variable, const char* name) {
  const std::string text = value_of(variable, name);
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (!text.empty() && error == std::errc{} && end == text.data() + text.size()) return number;
  refuse(text.empty() ? fmt::format("{} is not set", name)
                      : fmt::format("expected a number in {}, got '{}'", name, text));
}

/// `index` counts from 0.
FoundShard found(const System& system, std::size_t index, std::size_t count) {
  const auto shard = shard_from_text(fmt::format("{}/{}", index + 1, count));
  if (shard) return {*shard, system.index};
  refuse(fmt::format("{0} is {1}, which is none of {2} shards that count from {3}", system.index,
                     index + system.first, count, system.first));
}

FoundShard found_by(const System& system, std::size_t asked, const Variables& variable) {
  const std::size_t index = number_in(variable, system.index);
  if (system.count == nullptr && asked == 0) {
    refuse(
        fmt::format("{} says in {} which job this is, and not of how many: write --shard auto/N "
                    "with the number N of its completions",
                    system.name, system.index));
  }
  const std::size_t count = system.count == nullptr ? asked : number_in(variable, system.count);
  if (index < system.first) {
    refuse(fmt::format("{} is {}, and counts from {}", system.index, index, system.first));
  }
  return found(system, index - system.first, count);
}

/// The ids of an array begin anywhere, and may have a step. With gaps of another kind, the place of
/// an id among them is not known.
FoundShard found_in_array(const Variables& variable) {
  const std::size_t id = number_in(variable, "SLURM_ARRAY_TASK_ID");
  const std::size_t first = number_in(variable, "SLURM_ARRAY_TASK_MIN");
  const std::size_t last = number_in(variable, "SLURM_ARRAY_TASK_MAX");
  const std::size_t count = number_in(variable, "SLURM_ARRAY_TASK_COUNT");
  const bool has_step = !value_of(variable, "SLURM_ARRAY_TASK_STEP").empty();
  const std::size_t step =
      has_step ? std::max<std::size_t>(1, number_in(variable, "SLURM_ARRAY_TASK_STEP")) : 1;
  const bool is_inside = first <= id && id <= last;
  if (!is_inside || (last - first) / step + 1 != count || (id - first) % step != 0) {
    refuse(
        fmt::format("the Slurm array has gaps: task {} of {} tasks with ids from {} to {}. Use an "
                    "array such as --array=1-{}, or --shard i/n",
                    id, count, first, last, count));
  }
  return found(kArray, (id - first) / step, count);
}

std::vector<FoundShard> all_found(std::size_t asked, const Variables& variable) {
  std::vector<FoundShard> all;
  if (!value_of(variable, kArray.index).empty()) all.push_back(found_in_array(variable));
  for (const System& system : kOthers) {
    if (!value_of(variable, system.index).empty()) {
      all.push_back(found_by(system, asked, variable));
    }
  }
  return all;
}

std::string in_words(const FoundShard& found) {
  return fmt::format("{} says {}", found.from, to_text(found.shard));
}

[[noreturn]] void refuse_none() {
  std::vector<std::string> names{kArray.index};
  for (const System& system : kOthers) names.emplace_back(system.index);
  refuse(fmt::format("none of {} is set; write --shard i/n", fmt::join(names, ", ")));
}

}  // namespace

std::optional<std::size_t> auto_shard_from_text(std::string_view text) {
  if (text == "auto") return 0;
  constexpr std::string_view kBegin = "auto/";
  if (!text.starts_with(kBegin)) return std::nullopt;
  const auto shard = shard_from_text(fmt::format("1/{}", text.substr(kBegin.size())));
  if (!shard) return std::nullopt;
  return shard->count;
}

FoundShard shard_of_environment(std::size_t count, const Variables& variable) {
  std::vector<FoundShard> all = all_found(count, variable);
  if (all.empty()) refuse_none();
  // A batch script of an array is also the only task of its job.
  const auto is_whole = [](const FoundShard& one) { return one.shard.count == 1; };
  if (!std::ranges::all_of(all, is_whole)) std::erase_if(all, is_whole);
  const FoundShard& first = all.front();
  for (const FoundShard& other : all) {
    if (other.shard.index != first.shard.index || other.shard.count != first.shard.count) {
      refuse(fmt::format("{}, and {}: write --shard i/n", in_words(first), in_words(other)));
    }
  }
  if (count != 0 && first.shard.count != count) {
    refuse(fmt::format("{}, which is not one of {}", in_words(first), count));
  }
  return first;
}

}  // namespace assay
