// Pairs subjects by name.
#include "harness/report/name_pairs.hpp"

#include <set>

namespace assay::report {
namespace {

using Names = std::vector<SubjectName>;
using Places = std::vector<std::size_t>;

class Pairer {
 public:
  Pairer(const Names& before, const Names& after) : before_(before), after_(after) {}

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
  return Pairer(before, after).run();
}

}  // namespace assay::report
