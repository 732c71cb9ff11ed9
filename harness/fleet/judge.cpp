// Gives each GPU its verdict and the reasons.
#include "harness/fleet/judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "harness/fleet/costs.hpp"
#include "harness/fleet/explanation.hpp"
#include "harness/stats/odd_one.hpp"

namespace assay::fleet {
namespace {

/// A case that fails so often on all GPUs, of at least so many, is a mistake of the runtime.
constexpr double kFailsEverywhere = 0.9;
constexpr std::size_t kFewestForEverywhere = 3;
/// Fewer GPUs have no usual setting.
constexpr std::size_t kFewestForSettings = 3;
/// A GPU that lacks more of the quantities is not judged by the others.
constexpr double kMostMissing = 0.2;

const char* plural(std::size_t count) { return count == 1 ? "" : "s"; }

class Judge {
 public:
  Judge(const Fleet& fleet, const JudgeOptions& options) : fleet_(fleet), options_(options) {
    made_.gpus.resize(fleet.gpus.size());
  }

  Judgement judged() {
    judge_bits();
    judge_settings();
    judge_costs();
    for (std::size_t i = 0; i < made_.gpus.size(); ++i) {
      ++made_.counts[static_cast<std::size_t>(made_.gpus[i].verdict)];
    }
    return std::move(made_);
  }

 private:
  /// A worse verdict comes first, with its reasons.
  void add(std::size_t gpu, Verdict verdict, std::vector<std::string> reasons) {
    Judged& judged = made_.gpus[gpu];
    if (!is_judged_[gpu] || verdict < judged.verdict) {
      judged.verdict = verdict;
      judged.reasons.insert(judged.reasons.begin(), reasons.begin(), reasons.end());
    } else {
      judged.reasons.insert(judged.reasons.end(), reasons.begin(), reasons.end());
    }
    is_judged_[gpu] = true;
  }

  // Bits.

  bool fails_everywhere(const std::string& name) const {
    std::size_t wrong = 0, gpus = 0, bench_times = 0;
    for (const Gpu& gpu : fleet_.gpus) {
      if (const auto red = gpu.red.find(name); red != gpu.red.end()) {
        wrong += red->second.wrong + red->second.dead;
        bench_times += red->second.times;
      }
      if (gpu.runs > 0 || gpu.benches > 0) ++gpus;
    }
    const auto ran = fleet_.times.find(name);
    const std::size_t times = ran == fleet_.times.end() ? std::max(bench_times, gpus) : ran->second;
    return gpus >= kFewestForEverywhere &&
           static_cast<double>(wrong) >= kFailsEverywhere * static_cast<double>(times);
  }

  void judge_bits() {
    std::map<std::string, bool> everywhere;
    for (std::size_t i = 0; i < fleet_.gpus.size(); ++i) {
      std::vector<std::string> wrong, dead;
      for (const auto& [name, red] : fleet_.gpus[i].red) {
        const auto [known, is_new] = everywhere.try_emplace(name, false);
        if (is_new) known->second = fails_everywhere(name);
        if (known->second) continue;
        if (red.wrong > 0) wrong.push_back(times_of(name, red.wrong, red));
        if (red.dead > 0) dead.push_back(times_of(name, red.dead, red));
      }
      if (!wrong.empty()) {
        add(i, Verdict::kWrongBits, {"wrong bits: " + some_of(wrong)});
      }
      if (!dead.empty()) {
        add(i, Verdict::kOddOne, {"no answer, as no other GPU: " + some_of(dead)});
      }
    }
    std::vector<std::string> names;
    for (const auto& [name, is_everywhere] : everywhere) {
      if (is_everywhere) names.push_back(name);
    }
    if (names.empty()) return;
    made_.notes.push_back(
        fmt::format("{} case{} on (nearly) all GPUs, which is the runtime and no "
                    "GPU: {}",
                    names.size(), names.size() == 1 ? " fails" : "s fail", some_of(names)));
  }

  static std::string times_of(const std::string& name, std::size_t count, const Red& red) {
    return fmt::format("{} ({} of {} time{})", name, count, red.times, plural(red.times));
  }

  // Settings.

  void judge_settings() {
    std::map<std::string, std::map<std::string, std::vector<std::size_t>>> by_model;
    for (std::size_t i = 0; i < fleet_.gpus.size(); ++i) {
      for (const auto& [setting, value] : fleet_.gpus[i].settings) {
        by_model[fleet_.gpus[i].model + '\n' + setting][value].push_back(i);
      }
    }
    for (const auto& [key, values] : by_model) {
      judge_setting(key.substr(key.find('\n') + 1), key.substr(0, key.find('\n')), values);
    }
  }

  void judge_setting(const std::string& setting, const std::string& model,
                     const std::map<std::string, std::vector<std::size_t>>& values) {
    if (values.size() < 2) return;
    std::size_t all = 0;
    const auto* most = &*values.begin();
    for (const auto& value : values) {
      all += value.second.size();
      if (value.second.size() > most->second.size()) most = &value;
    }
    if (all < kFewestForSettings || 2 * most->second.size() <= all) {
      made_.notes.push_back(fmt::format("{}: no usual {} among {} GPUs", model, setting, all));
      return;
    }
    for (const auto& [value, gpus] : values) {
      if (value == most->first) continue;
      for (const std::size_t gpu : gpus) {
        add(gpu, Verdict::kMisconfigured,
            {fmt::format("{} is {}; that of {} of {} neighbours is {}", setting, value,
                         most->second.size(), all - 1, most->first)});
      }
    }
  }

  // Costs.

  void judge_costs() {
    std::map<std::string, std::vector<std::size_t>> groups;
    for (std::size_t i = 0; i < fleet_.gpus.size(); ++i) {
      const Gpu& gpu = fleet_.gpus[i];
      if (gpu.rows.empty()) {
        add(i, Verdict::kUndecided,
            {gpu.benches > 0 ? "its bench has no times of the GPU" : "no record of a bench"});
        continue;
      }
      groups[fmt::format("{}, MIG {}, measured by {}",
                         gpu.model.empty() ? "unknown model" : gpu.model, gpu.mig ? "on" : "off",
                         gpu.method)]
          .push_back(i);
    }
    for (auto& [name, members] : groups) judge_group(name, std::move(members));
  }

  void judge_group(const std::string& name, std::vector<std::size_t> members) {
    Group group{name, std::move(members), 0};
    std::vector<const Gpu*> gpus;
    for (const std::size_t member : group.members) gpus.push_back(&fleet_.gpus[member]);
    if (gpus.size() < stats::kFewestMembers) {
      for (const std::size_t member : group.members) {
        add(member, Verdict::kUndecided,
            {fmt::format("too few GPUs to compare with: {} of this model, MIG mode and build of "
                         "assay, at least {} are needed",
                         gpus.size(), stats::kFewestMembers)});
      }
      made_.groups.push_back(std::move(group));
      return;
    }
    GroupCosts costs = compare_costs(gpus, options_);
    group.quantities = costs.quantities;
    made_.tests += costs.tests;
    for (std::size_t i = 0; i < gpus.size(); ++i) {
      judge_gpu(group, i, costs);
    }
    made_.groups.push_back(std::move(group));
  }

  void judge_gpu(const Group& group, std::size_t place, GroupCosts& costs) {
    CostFindings& found = costs.gpus[place];
    const std::size_t index = group.members[place];
    const Gpu& gpu = fleet_.gpus[index];
    Judged& judged = made_.gpus[index];
    judged.places = found.places;
    judged.compared = found.compared;
    judged.neighbours = group.members.size() - 1;
    const Explanation explanation(fleet_, group, gpu, options_);
    if (!found.confirmed.empty()) {
      explanation.fill_in(found.confirmed);
      const bool is_set = is_clock_low(found) && gpu.throttled_by.empty();
      add(index, is_set ? Verdict::kMisconfigured : Verdict::kOddOne, explanation.sentences(found));
      judged.differences = std::move(found.confirmed);
      return;
    }
    const auto missing = static_cast<double>(found.missing.size());
    if (missing > kMostMissing * static_cast<double>(costs.quantities)) {
      add(index, Verdict::kUndecided,
          {fmt::format("{} of {} quantities are missing: {}", found.missing.size(),
                       costs.quantities, some_of(names_in(found.missing)))});
    } else if (!found.perhaps.empty()) {
      explanation.fill_in(found.perhaps);
      add(index, Verdict::kUndecided,
          {fmt::format("perhaps {}; not confirmed among {} tests",
                       Explanation::sentence_of(found.perhaps.front()), made_.tests)});
    } else if (lacks_run(gpu)) {
      add(index, Verdict::kUndecided, {"no record of a run: its bits are unknown"});
    } else {
      add(index, Verdict::kLike, {});
    }
  }

  static bool is_clock_low(const CostFindings& found) {
    return std::ranges::any_of(found.confirmed, [](const Difference& one) {
      return one.kind == Difference::Kind::kFamily && one.family == Family::kClock && one.ratio > 1;
    });
  }

  /// While most others have one.
  bool lacks_run(const Gpu& gpu) const {
    const auto with_run =
        std::ranges::count_if(fleet_.gpus, [](const Gpu& other) { return other.runs > 0; });
    return gpu.runs == 0 && 2 * static_cast<std::size_t>(with_run) > fleet_.gpus.size();
  }

  static std::vector<std::string> names_in(const std::vector<std::string>& keys) {
    std::vector<std::string> names;
    for (const std::string& key : keys) names.push_back(key.substr(key.rfind(' ') + 1));
    return names;
  }

  const Fleet& fleet_;
  const JudgeOptions& options_;
  Judgement made_;
  std::map<std::size_t, bool> is_judged_;
};

}  // namespace

std::string_view name_of(Verdict verdict) {
  constexpr std::array<std::string_view, kVerdicts> kNames{
      "wrong bits", "misconfigured", "odd one out", "undecided", "like the others"};
  return kNames[static_cast<std::size_t>(verdict)];
}

std::string_view word_of(Verdict verdict) {
  constexpr std::array<std::string_view, kVerdicts> kWords{
      "wrong_bits", "misconfigured", "odd_one_out", "undecided", "like_the_others"};
  return kWords[static_cast<std::size_t>(verdict)];
}

Judgement judge(const Fleet& fleet, const JudgeOptions& options) {
  return Judge(fleet, options).judged();
}

}  // namespace assay::fleet
