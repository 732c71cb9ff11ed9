// Pairs subjects by their names, and rejects records of unfinished runs.
#include "harness/report/pairs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace assay::report {
namespace {

using Names = std::vector<SubjectName>;
using Places = std::vector<std::size_t>;

class NamePairer {
 public:
  NamePairer(const Names& before, const Names& after) : before_(before), after_(after) {}

  NamePairs run() {
    for (std::size_t i = 0; i < before_.size(); ++i) {
      const Places theirs = left_in(after_, after_taken_, &SubjectName::typed, before_[i].typed);
      if (!theirs.empty()) take(i, theirs.front());
    }
    std::set<std::string> tried{""};
    for (const SubjectName& name : before_) {
      if (tried.insert(name.own).second) take_by_own(name.own);
    }
    return std::move(found_);
  }

 private:
  static Places left_in(const Names& names, const std::set<std::size_t>& taken,
                        std::string SubjectName::*member, const std::string& name) {
    Places places;
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (!taken.contains(i) && names[i].*member == name) places.push_back(i);
    }
    return places;
  }

  void take_by_own(const std::string& own) {
    const Places mine = left_in(before_, before_taken_, &SubjectName::own, own);
    const Places theirs = left_in(after_, after_taken_, &SubjectName::own, own);
    if (mine.empty() || theirs.empty()) return;
    if (mine.size() == 1 && theirs.size() == 1) return take(mine.front(), theirs.front());
    found_.unclear.push_back({own, mine.size(), theirs.size()});
  }

  void take(std::size_t mine, std::size_t theirs) {
    found_.pairs.emplace_back(mine, theirs);
    before_taken_.insert(mine);
    after_taken_.insert(theirs);
  }

  const Names& before_;
  const Names& after_;
  std::set<std::size_t> before_taken_, after_taken_;
  NamePairs found_;
};

}  // namespace

NamePairs pair_names(const Names& before, const Names& after) {
  return NamePairer(before, after).run();
}

namespace {

constexpr int kInterrupted = 130;
constexpr int kInternal = 3;
constexpr int kIncomplete = 4;

std::string progress_of(const SubjectRecord& subject) {
  return fmt::format("{} of {} cases of '{}' ran", subject.cases.size(), subject.planned,
                     subject.subject);
}

/// Empty if everything that was planned has run.
std::string lack_of(const SubjectRecord& subject) {
  if (subject.exit_code == kInterrupted) {
    return fmt::format(
        "it was interrupted; {}. Finish it: the same command with --resume and its journal",
        progress_of(subject));
  }
  const bool is_short = subject.cases.size() < subject.planned;
  if (subject.exit_code == kInternal && (is_short || subject.cases.empty())) {
    return subject.planned == 0
               ? fmt::format("'{}' never started. Fix the subject, and run again", subject.subject)
               : fmt::format("the subject was given up; {}. Fix the subject, and run again",
                             progress_of(subject));
  }
  if (is_short && subject.exit_code == kIncomplete) {
    return fmt::format("shards are missing; {}. Run them, and merge again", progress_of(subject));
  }
  if (is_short) return fmt::format("{}. Run again, without --fail-fast", progress_of(subject));
  if (subject.exit_code != kInternal) return "";
  return fmt::format("the harness itself failed on '{}', so its results prove nothing. Run again",
                     subject.subject);
}

std::string share_of(const NamedRun& record) {
  return record.run.shard.empty()
             ? fmt::format("{} is a complete run", record.file)
             : fmt::format("{} is the shard {} of a run", record.file, record.run.shard);
}

}  // namespace

bool ran(const CaseRecord& test) { return test.outcome != "unsupported"; }

bool has_run(const SubjectRecord& subject) { return std::ranges::any_of(subject.cases, ran); }

std::vector<std::string> lacks_of(const NamedRun& record) {
  std::vector<std::string> lacks;
  const auto add = [&](const std::string& what) {
    lacks.push_back(fmt::format("{} is not the record of a complete run: {}", record.file, what));
  };
  const RunRecord& run = record.run;
  for (const SubjectRecord& subject : run.subjects) {
    if (const std::string lack = lack_of(subject); !lack.empty()) add(lack);
  }
  if (!lacks.empty()) return lacks;
  if (run.exit_code == kInternal) {
    add("the harness itself failed. Run again");
  } else if (run.exit_code == kInterrupted) {
    add("it was interrupted before its last subject. Finish it: the same command with --resume "
        "and its journal");
  } else if (std::ranges::none_of(run.subjects, has_run)) {
    add("nothing ran. Run again, with a selection and a subject of which cases can run");
  }
  return lacks;
}

std::string difference_of_shards(const NamedRun& before, const NamedRun& after) {
  if (before.run.shard == after.run.shard) return "";
  return fmt::format("{}, and {}: compare two complete runs, or the same shard of both",
                     share_of(before), share_of(after));
}

namespace {

using Subjects = std::vector<const SubjectRecord*>;

/// Its self-reported name, with the recordings used.
std::string own_name(const SubjectRecord& subject) {
  const std::size_t recorded = subject.subject.find(" against recorded ");
  const std::string tail = recorded == std::string::npos ? "" : subject.subject.substr(recorded);
  return subject.name.empty() ? "" : subject.name + tail;
}

std::vector<SubjectName> names_of(const Subjects& subjects) {
  std::vector<SubjectName> names;
  for (const SubjectRecord* subject : subjects)
    names.push_back({subject->subject, own_name(*subject)});
  return names;
}

class Pairer {
 public:
  Pairer(const NamedRun& before, const NamedRun& after) : before_(before), after_(after) {
    for (const SubjectRecord& subject : before.run.subjects) left_.push_back(&subject);
    for (const SubjectRecord& subject : after.run.subjects) right_.push_back(&subject);
  }

  void refuse_duplicate_subjects(const NamedRun& record) {
    for (const SubjectRecord& subject : record.run.subjects) {
      const auto times =
          std::ranges::count(record.run.subjects, subject.subject, &SubjectRecord::subject);
      if (times < 2) continue;
      refuse(fmt::format("{} has {} subjects '{}' that cannot be told apart: run each once",
                         record.file, times, subject.subject));
      return;
    }
  }

  void take_wanted(const std::string& old_name, const std::string& new_name) {
    const SubjectRecord* mine = typed_in(left_, old_name, before_.file);
    const SubjectRecord* theirs = typed_in(right_, new_name, after_.file);
    if (mine != nullptr && theirs != nullptr) take(mine, theirs);
  }

  void take_by_names() {
    const NamePairs named = pair_names(names_of(left_), names_of(right_));
    const Subjects left = left_, right = right_;
    for (const auto& [mine, theirs] : named.pairs) take(left[mine], right[theirs]);
    for (const NamePairs::Unclear& unclear : named.unclear) {
      const bool is_before = unclear.before > 1;
      refuse(fmt::format("{} has {} subjects that call themselves '{}': pair each with --pair",
                         is_before ? before_.file : after_.file,
                         is_before ? unclear.before : unclear.after, unclear.own));
    }
  }

  Pairing finish() {
    for (const SubjectRecord* subject : left_) found_.pairs.push_back({subject, nullptr});
    for (const SubjectRecord* subject : right_) found_.pairs.push_back({nullptr, subject});
    return std::move(found_);
  }

 private:
  const SubjectRecord* typed_in(const Subjects& subjects, const std::string& name,
                                const std::string& file) {
    const auto found = std::ranges::find(subjects, name, &SubjectRecord::subject);
    if (found != subjects.end()) return *found;
    refuse(fmt::format("{} has no subject '{}' to be paired", file, name));
    return nullptr;
  }

  void take(const SubjectRecord* mine, const SubjectRecord* theirs) {
    found_.pairs.push_back({mine, theirs});
    std::erase(left_, mine);
    std::erase(right_, theirs);
  }

  void refuse(const std::string& why) { found_.refusals.push_back(why); }

  const NamedRun& before_;
  const NamedRun& after_;
  Subjects left_, right_;
  Pairing found_;
};

}  // namespace

std::string SubjectPair::name() const {
  if (before == nullptr) return after->subject;
  if (after == nullptr || before->subject == after->subject) return before->subject;
  return before->subject + " and " + after->subject;
}

Pairing pair_subjects(const NamedRun& before, const NamedRun& after, const WantedPairs& wanted) {
  Pairer pairer(before, after);
  pairer.refuse_duplicate_subjects(before);
  pairer.refuse_duplicate_subjects(after);
  for (const auto& [old_name, new_name] : wanted) pairer.take_wanted(old_name, new_name);
  pairer.take_by_names();
  return pairer.finish();
}

}  // namespace assay::report
