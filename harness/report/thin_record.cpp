// One walk over the text.
#include "harness/report/thin_record.hpp"

#include <set>
#include <string>

#include "harness/protocol/json_scan.hpp"
#include "harness/report/plain_case.hpp"

namespace assay::report {
namespace {

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
      if (std::optional<CaseRecord> test = plain_case(text)) {
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

std::optional<ThinRecord> without_plain_cases(std::string_view text) {
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
