// Matches subjects by adding the records one after the other.
#include "harness/compare/columns/same_subjects.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "harness/report/pairs.hpp"

namespace assay::compare {
namespace {

using report::BenchSubject;
using report::SubjectName;

/// The name that the subject reports; a subject of another build is `name@other`, like its id.
std::string own_name(const BenchSubject& subject) {
  if (subject.name.empty() || !subject.id.starts_with(subject.subject)) return subject.name;
  return subject.name + subject.id.substr(subject.subject.size());
}

/// Copies are left out, because they have no rows.
std::vector<SubjectName> subjects_of(const Column& column) {
  std::vector<SubjectName> names;
  for (const BenchSubject& subject : column.record->subjects) {
    if (!subject.copy_of) names.push_back({subject.id, own_name(subject)});
  }
  return names;
}

/// One subject, with its id in each column that contains it.
struct SharedSubject {
  SubjectName name;  ///< from the first column that has it
  std::vector<std::string> ids;

  bool has_one_id() const {
    return std::ranges::all_of(
        ids, [&](const std::string& id) { return id.empty() || id == name.typed; });
  }
};

class Joining {
 public:
  explicit Joining(std::vector<Column>& columns) : columns_(columns) {}

  std::vector<std::string> run() {
    for (std::size_t column = 0; column < columns_.size(); ++column) {
      if (columns_[column].key.empty()) join(column);
    }
    for (const SharedSubject& same : all_) {
      for (std::size_t column = 0; column < same.ids.size(); ++column)
        columns_[column].names[same.ids[column]] = label_of(same);
    }
    return std::move(notes_);
  }

 private:
  void join(std::size_t column) {
    std::vector<SubjectName> known;
    for (const SharedSubject& same : all_) known.push_back(same.name);
    const std::vector<SubjectName> here = subjects_of(columns_[column]);
    const report::NamePairs found = report::pair_names(known, here);
    std::vector<SharedSubject*> of(here.size());
    for (const auto& [mine, theirs] : found.pairs) of[theirs] = &all_[mine];
    std::vector<SharedSubject> added;
    for (std::size_t i = 0; i < here.size(); ++i) {
      SharedSubject& same =
          of[i] != nullptr ? *of[i] : added.emplace_back(SharedSubject{here[i], {}});
      same.ids.resize(columns_.size());
      same.ids[column] = here[i].typed;
    }
    all_.insert(all_.end(), added.begin(), added.end());
    for (const auto& unclear : found.unclear) note(column, unclear.own);
  }

  void note(std::size_t column, const std::string& own) {
    notes_.push_back(fmt::format(
        "several subjects call themselves '{}' in {}, and cannot be told apart: they are not "
        "compared",
        own, columns_[column].label));
  }

  /// The name that the subject reports, unless another subject could have it too.
  std::string label_of(const SharedSubject& same) const {
    if (same.has_one_id()) return same.name.typed;
    const auto could_be = [&](const SharedSubject& other) {
      return &other != &same &&
             (other.name.typed == same.name.own || other.name.own == same.name.own);
    };
    return std::ranges::any_of(all_, could_be) ? same.name.typed : same.name.own;
  }

  std::vector<Column>& columns_;
  std::vector<SharedSubject> all_;
  std::vector<std::string> notes_;
};

}  // namespace

std::vector<std::string> name_subjects(std::vector<Column>& columns) {
  return Joining(columns).run();
}

}  // namespace assay::compare
