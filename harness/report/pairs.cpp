// Pairs subjects by their names.
#include "harness/report/pairs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/report/name_pairs.hpp"

namespace assay::report {
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
