// What subjects do not support: one row per reason, with the affected cases.
#include <fmt/format.h>

#include <map>
#include <set>
#include <tuple>

#include "harness/page/sections/sections.hpp"

namespace assay::page {
namespace {

struct Group {
  const SubjectRun* run;
  bool excused;
  std::string reason;
  std::size_t results = 0;
  std::set<std::string> cases;
};

std::vector<Group> groups_of(const PageData& page_data) {
  std::vector<Group> groups;
  std::map<std::tuple<std::size_t, bool, std::string>, std::size_t> places;
  for (const SubjectRun& run : page_data.runs) {
    for (const report::CaseRecord& test : run.subject->cases) {
      if (test.outcome != "unsupported") continue;
      const std::string& reason = test.excuse.empty() ? test.sentence : test.excuse;
      const auto [place, is_new] =
          places.emplace(std::tuple{run.number, test.excused, reason}, groups.size());
      if (is_new) groups.push_back({&run, test.excused, reason, 0, {}});
      ++groups[place->second].results;
      groups[place->second].cases.insert(test.id);
    }
  }
  return groups;
}

Markup cases_of(const Group& group) {
  constexpr std::size_t kMost = 40;
  Markup items;
  std::size_t count = 0;
  for (const std::string& id : group.cases) {
    if (++count <= kMost) items += element("li", link_to(anchor_of_case(id), id));
  }
  if (count > kMost) items += element("li", fmt::format("and {} more", count - kMost));
  return foldable(counted(count, "case"), element("ul", items));
}

}  // namespace

Section unsupported_section(const PageData& page_data) {
  Table table{"What was not answered, and why",
              {"Reason", "Subject", "Announced", "Results", "Cases"},
              {},
              true};
  std::size_t results = 0;
  for (const Group& group : groups_of(page_data)) {
    results += group.results;
    table.rows.push_back(
        {{{cut(group.reason, 400), {}},
          {group.run->label, {}},
          {group.excused ? Markup("yes") : element("span", {{"class", "bad"}}, "✗ no"), {}},
          number(group.results),
          {cases_of(group), static_cast<double>(group.cases.size())}},
         ""});
  }
  Markup content;
  if (!table.rows.empty()) content = to_markup(table, 300, "reason");
  return {"unsupported", "Unsupported", std::to_string(results), content};
}

}  // namespace assay::page
