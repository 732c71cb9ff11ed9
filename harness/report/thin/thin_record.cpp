// Extracts cases in a single pass over the text.
#include "harness/report/thin/thin_record.hpp"

#include "harness/report/thin/plain_case.hpp"
#include "harness/report/thin/thinning.hpp"

namespace assay::report {
namespace {

/// Copies the record without the cases.
class WithoutCases {
 public:
  explicit WithoutCases(std::string_view text) : walk_(text) {}

  ThinRecord thinned() {
    walk_.members([&](std::string_view name) {
      if (name != "subjects") return walk_.copy();
      walk_.items([&] {
        taken_.emplace_back();
        subject();
      });
    });
    walk_.scan.end();
    return {std::move(walk_.rest), std::move(taken_)};
  }

 private:
  void subject() {
    walk_.members([&](std::string_view name) {
      if (name != "cases") return walk_.copy();
      cases();
    });
  }

  void cases() {
    std::size_t place = 0;
    walk_.rest += '[';
    std::string_view separator;
    walk_.scan.array("cases", [&] {
      const std::string_view text = walk_.scan.skipped();
      if (std::optional<CaseRecord> test = plain_case(text)) {
        taken_.back().push_back({place, std::move(*test)});
      } else {
        walk_.rest += separator;
        walk_.rest += text;
        separator = ",";
      }
      ++place;
    });
    walk_.rest += ']';
  }

  Thinning walk_;
  std::vector<std::vector<TakenCase>> taken_;
};

}  // namespace

std::optional<ThinRecord> without_plain_cases(std::string_view text) {
  try {
    return WithoutCases(text).thinned();
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
