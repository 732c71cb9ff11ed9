// One walk over the text.
#include "harness/report/thin_record.hpp"

#include <limits>
#include <set>

#include "harness/protocol/json_scan.hpp"

namespace assay::report {
namespace {

/// As the schema has them.
bool is_contract(std::string_view text) {
  static const std::set<std::string, std::less<>> known = [] {
    std::set<std::string, std::less<>> made;
    for (const std::string release : {"1.13", "2.4", "2.11"}) {
      for (const std::string rules : {"cpu", "cuda"}) {
        for (const char* deviations : {"strict", "compat"})
          made.insert(release + "/" + rules + "/" + deviations);
      }
    }
    return made;
  }();
  return known.contains(text);
}

/// A case that passed, with the members that the schema requires of it and no others.
class PassingCase {
 public:
  explicit PassingCase(std::string_view text) : scan_(text) {}

  std::optional<CaseRecord> read() {
    constexpr int kMembers = 7;
    int members = 0;
    scan_.object("a case", [&](std::string_view name) {
      ++members;
      read_member(std::string(name));
    });
    scan_.end();
    if (!is_sound_ || members != kMembers || seen_.size() != kMembers) return std::nullopt;
    return std::move(test_);
  }

 private:
  void read_member(const std::string& name) {
    seen_.insert(name);
    if (name == "id") {
      test_.id = scan_.text(name);
      require(!test_.id.empty());
    } else if (name == "contract") {
      test_.contract = scan_.text(name);
      require(is_contract(test_.contract));
    } else if (name == "outcome") {
      test_.outcome = scan_.text(name);
      require(test_.outcome == "pass");
    } else if (name == "clauses") {
      scan_.array(name, [&] { test_.clauses.emplace_back(scan_.text("a clause")); });
    } else if (name == "seconds") {
      test_.seconds =
          std::visit([](auto value) { return static_cast<double>(value); }, scan_.number());
      require(test_.seconds >= 0);
    } else if (name == "file") {
      test_.file = scan_.text(name);
    } else if (name == "line") {
      const std::int64_t line = scan_.integer(name);
      require(line >= 0 && line <= std::numeric_limits<std::uint32_t>::max());
      test_.line = static_cast<std::uint32_t>(line);
    } else {
      require(false);
      scan_.skip();
    }
  }

  void require(bool holds) { is_sound_ = is_sound_ && holds; }

  JsonScanner scan_;
  CaseRecord test_;
  std::set<std::string> seen_;
  bool is_sound_ = true;
};

std::optional<CaseRecord> passing_case(std::string_view text) {
  try {
    return PassingCase(text).read();
  } catch (const MalformedMessage&) {
    return std::nullopt;
  }
}

/// Copies what it walks over, but for the cases.
class Thinning {
 public:
  explicit Thinning(std::string_view text) : scan_(text) {}

  ThinRecord thinned() {
    members([&](std::string_view name) {
      if (name != "subjects") return copy();
      items([&] {
        made_.taken.emplace_back();
        subject();
      });
    });
    scan_.end();
    return std::move(made_);
  }

 private:
  void subject() {
    members([&](std::string_view name) {
      if (name != "cases") return copy();
      cases();
    });
  }

  void cases() {
    std::size_t place = 0;
    made_.rest += '[';
    std::string_view separator;
    scan_.array("cases", [&] {
      const std::string_view text = scan_.skipped();
      if (std::optional<CaseRecord> test = passing_case(text)) {
        made_.taken.back().push_back({place, std::move(*test)});
      } else {
        made_.rest += separator;
        made_.rest += text;
        separator = ",";
      }
      ++place;
    });
    made_.rest += ']';
  }

  void copy() { made_.rest += scan_.skipped(); }

  /// A name twice is refused: readers differ on which one counts.
  template <typename Read>
  void members(const Read& read) {
    std::set<std::string> seen;
    made_.rest += '{';
    scan_.object("an object", [&](std::string_view name) {
      const std::string own(name);
      if (own.find_first_of("\"\\") != std::string::npos || !seen.insert(own).second)
        JsonScanner::malformed("no plain name");
      if (seen.size() > 1) made_.rest += ',';
      made_.rest += '"' + own + "\":";
      read(own);
    });
    made_.rest += '}';
  }

  template <typename Read>
  void items(const Read& read) {
    std::string_view separator;
    made_.rest += '[';
    scan_.array("a list", [&] {
      made_.rest += separator;
      separator = ",";
      read();
    });
    made_.rest += ']';
  }

  JsonScanner scan_;
  ThinRecord made_;
};

}  // namespace

std::optional<ThinRecord> without_passing_cases(std::string_view text) {
  try {
    return Thinning(text).thinned();
  } catch (const MalformedMessage&) {
    return std::nullopt;
  }
}

void put_back(std::vector<TakenCase> taken, std::vector<CaseRecord>& cases) {
  std::vector<CaseRecord> all;
  all.reserve(taken.size() + cases.size());
  auto left = cases.begin();
  for (TakenCase& one : taken) {
    while (all.size() < one.place && left != cases.end()) all.push_back(std::move(*left++));
    all.push_back(std::move(one.test));
  }
  while (left != cases.end()) all.push_back(std::move(*left++));
  cases = std::move(all);
}

}  // namespace assay::report
