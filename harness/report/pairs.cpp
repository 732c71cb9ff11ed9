// Pairing subjects by their names.
#include "harness/report/pairs.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace assay::report {
namespace {

using Subjects = std::vector<const SubjectRecord*>;
using NameOf = std::string (*)(const SubjectRecord&);

std::string typed_name(const SubjectRecord& subject) { return subject.subject; }

/// What it calls itself, and the recordings that it is held against.
std::string own_name(const SubjectRecord& subject) {
  const std::size_t recorded = subject.subject.find(" against recorded ");
  const std::string tail = recorded == std::string::npos ? "" : subject.subject.substr(recorded);
  return subject.name.empty() ? "" : subject.name + tail;
}

class Pairer {
 public:
  Pairer(const NamedRun& before, const NamedRun& after) : before_(before), after_(after) {
    for (const SubjectRecord& subject : before.run.subjects) left_.push_back(&subject);
    for (const SubjectRecord& subject : after.run.subjects) right_.push_back(&subject);
  }

  void take_wanted(const std::string& old_name, const std::string& new_name) {
    const SubjectRecord* mine = only(left_, typed_name, old_name, before_.file);
    const SubjectRecord* theirs = only(right_, typed_name, new_name, after_.file);
    if (mine == nullptr || theirs == nullptr) return;
    take(mine, theirs);
  }

  /// Those that have the same name on both sides.
  void take_by(NameOf name_of) {
    for (const SubjectRecord* subject : Subjects(left_)) {
      const std::string name = name_of(*subject);
      const bool is_there = !name.empty() && std::ranges::any_of(right_, [&](const auto* other) {
        return name_of(*other) == name;
      });
      if (!is_there || std::ranges::find(left_, subject) == left_.end()) continue;
      const SubjectRecord* mine = only(left_, name_of, name, before_.file);
      const SubjectRecord* theirs = only(right_, name_of, name, after_.file);
      if (mine == nullptr || theirs == nullptr) return;
      take(mine, theirs);
    }
  }

  void refuse_twins(const NamedRun& record) {
    for (const SubjectRecord& subject : record.run.subjects) {
      const auto times =
          std::ranges::count(record.run.subjects, subject.subject, &SubjectRecord::subject);
      if (times < 2) continue;
      refuse(fmt::format("{} has {} subjects '{}', which nothing tells apart: run each once",
                         record.file, times, subject.subject));
      return;
    }
  }

  Pairing finish() {
    for (const SubjectRecord* subject : left_) found_.pairs.push_back({subject, nullptr});
    for (const SubjectRecord* subject : right_) found_.pairs.push_back({nullptr, subject});
    return std::move(found_);
  }

 private:
  /// The one subject of that name; refuses where there is none, or more than one.
  const SubjectRecord* only(const Subjects& subjects, NameOf name_of, const std::string& name,
                            const std::string& file) {
    Subjects fitting;
    for (const SubjectRecord* subject : subjects) {
      if (name_of(*subject) == name) fitting.push_back(subject);
    }
    if (fitting.size() == 1) return fitting.front();
    refuse(fitting.empty()
               ? fmt::format("{} has no subject '{}' to be paired", file, name)
               : fmt::format("{} has {} subjects that call themselves '{}': pair each with --pair",
                             file, fitting.size(), name));
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
  pairer.refuse_twins(before);
  pairer.refuse_twins(after);
  for (const auto& [old_name, new_name] : wanted) pairer.take_wanted(old_name, new_name);
  pairer.take_by(typed_name);
  pairer.take_by(own_name);
  return pairer.finish();
}

}  // namespace assay::report
