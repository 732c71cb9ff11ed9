// Chooses causes: a greedy cover of the failures.
#include "harness/diagnosis/diagnosis.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "harness/diagnosis/symptom.hpp"
#include "harness/suite/faults.hpp"
#include "harness/suite/own_cases.hpp"

namespace assay {
namespace {

using Ids = std::set<std::string>;

/// A case of the subject, under all contracts together.
struct Seen {
  std::set<std::uint32_t> symptoms;
  bool fails = false;
  bool passes = false;
  bool is_compared = false;  ///< it fails by a wrong value, not by an error
  std::size_t commands = 0;
  std::string clause;  ///< that the case is about
  Reach reach = Reach::kTraining;
};

bool has_wrong_value(const Failure& failure) {
  const bool is_error =
      failure.got == "ok" || failure.sentence.ends_with("an error of another kind");
  return !failure.got.empty() && !is_error;
}

std::map<std::string, Seen, std::less<>> seen_in(const std::vector<CaseResult>& results) {
  std::map<std::string, Seen, std::less<>> seen;
  for (const CaseResult& result : results) {
    if (is_recorded(*result.test)) continue;  // replays fail in words of their own
    Seen& test = seen[result.test->id];
    test.passes = test.passes || result.outcome == Outcome::kPass;
    if (!result.spoils() || result.outcome == Outcome::kUnsupported) continue;
    test.fails = true;
    test.commands = result.history.size();
    test.reach = reach_of(*result.test);
    if (!result.test->clauses.empty()) test.clause = result.test->clauses.front();
    if (const auto symptom = symptom_of(result); symptom != kNoSymptom) {
      test.symptoms.insert(symptom);
      test.is_compared = test.is_compared || has_wrong_value(*result.failure);
    }
  }
  return seen;
}

/// What a fault says about the subject.
struct Evidence {
  const FaultSymptoms* fault = nullptr;
  Ids exact;                ///< cases that fail in the same way
  Ids similar;              ///< cases that fail in another way, perhaps of another mistake
  std::size_t against = 0;  ///< cases that pass
};

Evidence evidence_of(const FaultSymptoms& fault,
                     const std::map<std::string, Seen, std::less<>>& seen) {
  Evidence evidence;
  evidence.fault = &fault;
  for (const auto& [id, symptom] : fault.by_case) {
    const auto found = seen.find(id);
    if (found == seen.end()) continue;
    const Seen& test = found->second;
    if (test.symptoms.contains(symptom)) {
      evidence.exact.insert(id);
    } else if (!test.symptoms.empty()) {
      evidence.similar.insert(id);
    } else if (test.passes) {
      ++evidence.against;
    }
  }
  return evidence;
}

std::size_t count_in(const Ids& ids, const Ids& left) {
  return static_cast<std::size_t>(
      std::ranges::count_if(ids, [&](const std::string& id) { return left.contains(id); }));
}

/// The failures that no cause explains exactly, and among them those that none explains at all.
struct Open {
  Ids inexact;
  Ids left;
};

/// How well a fault explains what is open.
struct Merit {
  std::ptrdiff_t gain;
  std::size_t exact;
  std::size_t similar;
  bool operator==(const Merit&) const = default;
  bool is_better_than(const Merit& other) const {
    return std::pair(gain, exact) > std::pair(other.gain, other.exact);
  }
};

Merit merit_of(const Evidence& evidence, const Open& open) {
  const std::size_t exact = count_in(evidence.exact, open.inexact);
  const std::size_t similar = count_in(evidence.similar, open.left);
  const auto gain = static_cast<std::ptrdiff_t>(4 * exact + similar) -
                    static_cast<std::ptrdiff_t>(2 * evidence.against);
  return {gain, exact, similar};
}

/// The cases that the fault makes fail, but for those that another cause explains exactly.
std::size_t expected_of(const Evidence& evidence, const Open& open) {
  return evidence.exact.size() + count_in(evidence.similar, open.inexact) + evidence.against;
}

/// Three of five fail in the same way.
bool is_likely(const Evidence& evidence, const Open& open) {
  const Merit merit = merit_of(evidence, open);
  return merit.gain > 0 && merit.exact > 1 &&
         5 * evidence.exact.size() >= 3 * expected_of(evidence, open);
}

std::string group_of(const std::string& id) { return id.substr(0, id.rfind('/')); }

/// The fault makes one case fail, in the same way, and all else in the group of that case is
/// explained: a mistake that is not planted makes several cases of a group fail.
bool is_possible(const Evidence& evidence, const Open& open) {
  const bool is_whole = evidence.similar.empty() && evidence.against == 0;
  if (!is_whole || count_in(evidence.exact, open.inexact) != 1) return false;
  const auto is_open = [&](const std::string& id) { return open.inexact.contains(id); };
  const std::string group = group_of(*std::ranges::find_if(evidence.exact, is_open));
  return std::ranges::count_if(open.inexact,
                               [&](const std::string& id) { return group_of(id) == group; }) == 1;
}

std::size_t length_of_sentence(const std::string& name) {
  const Fault* fault = find_fault(name);
  return fault == nullptr ? 0 : fault->what.size();
}

class Cover {
 public:
  Cover(const std::vector<CaseResult>& results, const std::vector<FaultSymptoms>& symptoms)
      : seen_(seen_in(results)) {
    for (const auto& [id, test] : seen_) {
      if (test.fails) open_.inexact.insert(id);
    }
    open_.left = open_.inexact;
    failures_ = open_.left.size();
    for (const FaultSymptoms& fault : symptoms) {
      Evidence evidence = evidence_of(fault, seen_);
      if (!evidence.exact.empty()) candidates_.push_back(std::move(evidence));
    }
  }

  Diagnosis find() {
    for (const Allowed is_allowed : {is_likely, is_possible}) {
      while (const Evidence* best = best_of(is_allowed)) take(*best, is_allowed);
    }
    Diagnosis diagnosis;
    diagnosis.failures = failures_;
    for (auto& [cause, evidence] : taken_) {
      cause.is_guess = is_guess(cause, *evidence);
      cause.reach = reach_of_cause(cause);
      diagnosis.causes.push_back(std::move(cause));
    }
    std::ranges::stable_sort(diagnosis.causes, {}, [](const Cause& cause) {
      return std::pair(cause.is_guess, cause.reach);
    });
    diagnosis.unexplained.assign(open_.left.begin(), open_.left.end());
    std::ranges::stable_sort(diagnosis.unexplained, {},
                             [&](const std::string& id) { return seen_.at(id).reach; });
    return diagnosis;
  }

 private:
  using Allowed = bool (*)(const Evidence&, const Open&);

  const Evidence* best_of(Allowed is_allowed) const {
    const Evidence* best = nullptr;
    for (const Evidence& each : candidates_) {
      if (!is_allowed(each, open_)) continue;
      const Merit merit = merit_of(each, open_);
      if (best == nullptr || merit.is_better_than(merit_of(*best, open_))) best = &each;
    }
    return best;
  }

  void take(const Evidence& best, Allowed is_allowed) {
    Cause cause;
    for (const Evidence& each : candidates_) {
      const bool is_equal = is_allowed(each, open_) && each.exact == best.exact &&
                            merit_of(each, open_) == merit_of(best, open_);
      if (is_equal) cause.faults.push_back(each.fault->fault);
    }
    std::ranges::stable_sort(cause.faults, {}, length_of_sentence);
    for (const std::string& id : best.exact) {
      if (open_.inexact.erase(id) == 0) continue;
      cause.exact.push_back(id);
      // An earlier cause may have explained it in part.
      if (open_.left.erase(id) == 0) {
        for (auto& [earlier, evidence] : taken_) std::erase(earlier.explained, id);
      }
    }
    cause.explained = cause.exact;
    for (const std::string& id : best.similar) {
      if (open_.left.erase(id) > 0) cause.explained.push_back(id);
    }
    const Fault* fault = find_fault(cause.faults.front());
    std::ranges::stable_sort(cause.exact, {}, [&](const std::string& id) {
      const Seen& test = seen_.at(id);
      const bool is_about_it = fault != nullptr && fault->clauses.front() == test.clause;
      return std::tuple(!is_about_it, test.reach, test.commands);
    });
    taken_.emplace_back(std::move(cause), &best);
  }

  /// Certain is what three of four cases show, most of them by a wrong value. Errors are alike
  /// whatever their cause, and two cases are few: then all of the fault's must fail in the same
  /// way, and, of two, all else in their groups must be explained.
  bool is_guess(const Cause& cause, const Evidence& evidence) const {
    const std::size_t exact = evidence.exact.size();
    const std::size_t expected = expected_of(evidence, open_);
    if (cause.exact.size() < 2 || 4 * exact < 3 * expected) return true;
    const auto values = std::ranges::count_if(
        evidence.exact, [&](const std::string& id) { return seen_.at(id).is_compared; });
    const bool is_whole = exact == expected;
    if (!is_whole && 2 * static_cast<std::size_t>(values) < exact) return true;
    return cause.exact.size() == 2 && (!is_whole || is_anything_left_beside(cause));
  }

  Reach reach_of_cause(const Cause& cause) const {
    Reach closest = Reach::kWords;
    for (const std::string& id : cause.explained) closest = std::min(closest, seen_.at(id).reach);
    return closest;
  }

  bool is_anything_left_beside(const Cause& cause) const {
    return std::ranges::any_of(open_.left, [&](const std::string& id) {
      return std::ranges::any_of(
          cause.exact, [&](const std::string& exact) { return group_of(exact) == group_of(id); });
    });
  }

  std::map<std::string, Seen, std::less<>> seen_;
  Open open_;
  std::size_t failures_ = 0;
  std::vector<Evidence> candidates_;
  std::vector<std::pair<Cause, const Evidence*>> taken_;
};

}  // namespace

Diagnosis diagnose(const std::vector<CaseResult>& results) {
  return std::ranges::any_of(results, &CaseResult::spoils) ? diagnose(results, known_symptoms())
                                                           : Diagnosis();
}

Diagnosis diagnose(const std::vector<CaseResult>& results,
                   const std::vector<FaultSymptoms>& symptoms) {
  return Cover(results, symptoms).find();
}

}  // namespace assay
