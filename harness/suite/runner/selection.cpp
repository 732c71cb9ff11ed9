// Selects cases by pattern, and their contracts.
#include "harness/suite/runner/selection.hpp"

#include <fmt/format.h>
#include <fnmatch.h>
#include <regex.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <ranges>
#include <utility>

#include "harness/suite/unsupported_case.hpp"

namespace assay {
namespace {

/// More than there will ever be cases; larger numbers are mistyped.
constexpr std::size_t kMostShards = 1'000'000;

bool is_regex(const std::string& pattern) {
  return pattern.size() > 2 && pattern.front() == '/' && pattern.back() == '/';
}

/// The number in `{3}` or `{2,7}`, the larger one; 1 for text that is no repetition.
std::size_t most_repetitions(std::string_view text) {
  std::size_t most = 1;
  while (!text.empty() && text.front() != '}') {
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error == std::errc::result_out_of_range) return SIZE_MAX;
    if (error == std::errc()) most = std::max(most, number);
    text.remove_prefix(std::max<std::size_t>(1, static_cast<std::size_t>(end - text.data())));
  }
  return most;
}

/// Why the expression is not compiled; empty if it is. The C library copies what is repeated, and
/// recurses into what is nested: `((((a{255}){255}){255}){255})` takes all memory.
std::string excess_of(std::string_view text) {
  constexpr std::size_t kMostBytes = 1024, kDeepest = 50, kMostRepeated = 1000;
  if (text.size() > kMostBytes) return fmt::format("it is longer than {} bytes", kMostBytes);
  std::size_t depth = 0, repeated = 1;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\\') {
      ++at;
    } else if (text[at] == '(' && ++depth > kDeepest) {
      return fmt::format("it nests deeper than {} levels", kDeepest);
    } else if (text[at] == ')' && depth > 0) {
      --depth;
    } else if (text[at] == '{') {
      const std::size_t most = most_repetitions(text.substr(at + 1));
      if (most > kMostRepeated / repeated) {
        return fmt::format("its repetitions multiply to more than {}", kMostRepeated);
      }
      repeated *= most;
    }
  }
  return "";
}

/// Compiled from the text between the slashes.
class Regex {
 public:
  explicit Regex(const std::string& pattern) {
    const std::string text = pattern.substr(1, pattern.size() - 2);
    excess_ = excess_of(text);
    if (excess_.empty()) error_ = ::regcomp(&compiled_, text.c_str(), REG_EXTENDED | REG_NOSUB);
  }
  ~Regex() {
    if (error_ == 0) ::regfree(&compiled_);
  }
  Regex(const Regex&) = delete;
  Regex& operator=(const Regex&) = delete;

  bool is_in(const std::string& text) const {
    return error_ == 0 && ::regexec(&compiled_, text.c_str(), 0, nullptr, 0) == 0;
  }
  std::string complaint() const {
    if (error_ == 0 || !excess_.empty()) return excess_;
    std::array<char, 256> words{};
    ::regerror(error_, &compiled_, words.data(), words.size());
    return words.data();
  }

 private:
  regex_t compiled_{};
  std::string excess_;
  int error_ = REG_BADPAT;  ///< until it is compiled
};

bool regex_matches(const std::string& pattern, const Case& test) {
  const Regex regex(pattern);
  return regex.is_in(test.id) ||
         std::any_of(test.clauses.begin(), test.clauses.end(),
                     [&](const std::string& clause) { return regex.is_in(clause); });
}

bool any_matches(const std::vector<std::string>& patterns, const Case& test) {
  return std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
    if (is_regex(pattern)) return regex_matches(pattern, test);
    return glob_matches(pattern, test.id) ||
           std::any_of(test.clauses.begin(), test.clauses.end(), [&](const std::string& clause) {
             return fnmatch(pattern.c_str(), clause.c_str(), FNM_NOESCAPE) == 0;
           });
  });
}

template <typename Member>
bool allows(const std::optional<Member>& wanted, Member has) {
  return !wanted || *wanted == has;
}

}  // namespace

bool glob_matches(const std::string& pattern, const std::string& text) {
  if (fnmatch(pattern.c_str(), text.c_str(), FNM_NOESCAPE) == 0) return true;
  const bool plain = pattern.find_first_of("*?[") == std::string::npos;
  return plain && text.size() > pattern.size() && text.starts_with(pattern) &&
         (pattern.ends_with('/') || text[pattern.size()] == '/');
}

std::string complaint_about_pattern(const std::string& pattern) {
  if (!is_regex(pattern)) return "";
  const std::string complaint = Regex(pattern).complaint();
  return complaint.empty() ? "" : "'" + pattern + "' is not a regular expression: " + complaint;
}

bool Selection::selects(const Case& test) const {
  if (test.full && !full) return false;
  if (!filters.empty() && !any_matches(filters, test)) return false;
  return !any_matches(excludes, test) && profile_admits(test);
}

bool Selection::profile_admits(const Case& test) const {
  return !training_only || reach_of(test) == Reach::kTraining;
}

std::optional<Contract> contract_from_text(std::string_view text) {
  const std::size_t first = text.find('/');
  const std::size_t last = text.rfind('/');
  if (first == std::string_view::npos || first == last) return std::nullopt;
  const auto release = release_named(text.substr(0, first));
  const auto rules = device_rules_named(text.substr(first + 1, last - first - 1));
  const auto deviations = deviations_named(text.substr(last + 1));
  if (!release || !rules || !deviations) return std::nullopt;
  return Contract{*release, *rules, *deviations};
}

std::vector<Contract> wanted_contracts(const Selection& selection) {
  std::vector<Contract> wanted;
  for (const Release release : kReleases | std::views::reverse) {
    for (const Deviations deviations : {Deviations::kStrict, Deviations::kCompat}) {
      for (const DeviceRules rules : {DeviceRules::kCuda, DeviceRules::kCpu}) {
        if (allows(selection.release, release) && allows(selection.device_rules, rules) &&
            allows(selection.deviations, deviations)) {
          wanted.push_back({release, rules, deviations});
        }
      }
    }
  }
  return wanted;
}

Plan plan_of(const std::vector<Case>& cases, const Selection& selection,
             const std::vector<Contract>& contracts, const HasArea& has) {
  Plan plan;
  Selection without_profile = selection;
  without_profile.training_only = false;
  for (const Case& test : cases) {
    if (!without_profile.selects(test)) continue;
    const bool is_judged = selection.profile_admits(test);
    bool admitted = false;
    bool lacks_area = false;
    for (const Contract& contract : contracts) {
      if (!test.applies.admits(contract)) continue;
      if (!has(contract, area_of_case(test.id))) {
        lacks_area = true;
        continue;
      }
      if (is_judged) plan.tasks.push_back({&test, contract});
      if (!is_judged) ++plan.beyond_profile;
      admitted = true;
      if (!selection.all_contracts) break;
    }
    if (!is_judged) continue;
    const bool is_left_out = lacks_area && (!admitted || selection.all_contracts);
    if (is_left_out) plan.narrowed.insert(area_of_case(test.id));
    if (admitted) continue;
    const bool is_offered = std::ranges::any_of(
        contracts, [&](const Contract& contract) { return has(contract, area_of_case(test.id)); });
    ++(is_offered ? plan.not_applicable : plan.unclaimed);
  }
  std::stable_sort(plan.tasks.begin(), plan.tasks.end(), [](const Task& left, const Task& right) {
    return left.test->id < right.test->id;
  });
  return plan;
}

std::string to_text(const Shard& shard) { return fmt::format("{}/{}", shard.index, shard.count); }

std::optional<Shard> shard_from_text(std::string_view text) {
  Shard shard;
  const char* const end = text.data() + text.size();
  const auto index = std::from_chars(text.data(), end, shard.index);
  if (index.ec != std::errc{} || index.ptr == end || *index.ptr != '/') return std::nullopt;
  const auto count = std::from_chars(index.ptr + 1, end, shard.count);
  if (count.ec != std::errc{} || count.ptr != end) return std::nullopt;
  if (shard.index < 1 || shard.index > shard.count || shard.count > kMostShards) {
    return std::nullopt;
  }
  return shard;
}

void keep_shard(std::vector<Task>& tasks, const Shard& shard) {
  std::vector<Task> mine;
  for (std::size_t at = shard.index - 1; at < tasks.size(); at += shard.count) {
    mine.push_back(tasks[at]);
  }
  tasks = std::move(mine);
}

void shuffle(std::vector<Task>& tasks, std::uint64_t seed) {
  // Fisher-Yates with splitmix64, because std::shuffle may differ between standard libraries.
  for (std::size_t left = tasks.size(); left > 1; --left) {
    seed += 0x9e3779b97f4a7c15u;
    std::uint64_t mixed = seed;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
    mixed ^= mixed >> 31;
    std::swap(tasks[left - 1], tasks[mixed % left]);
  }
}

}  // namespace assay
