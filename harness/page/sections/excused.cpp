// What is not held against a subject: waived failures, with problems of the waivers, and what it
// does not support, one row per reason.
#include <fmt/format.h>

#include <map>
#include <set>
#include <tuple>

#include "harness/page/sections/sections.hpp"
#include "harness/suite/waivers/waivers.hpp"

namespace assay::page {

// Waivers.

namespace {

/// The date in `… until 2026-12-31 …`, the form of excuses.
std::optional<std::chrono::sys_days> last_day_in(const std::string& excuse) {
  constexpr std::string_view kBefore = ", until ";
  const auto at = excuse.rfind(kBefore);
  if (at == std::string::npos) return std::nullopt;
  const auto day = day_from_text(excuse.substr(at + kBefore.size(), 10));
  if (!day) return std::nullopt;
  return std::chrono::sys_days(*day);
}

std::optional<std::int64_t> days_until(const std::string& excuse, const std::string& started) {
  const auto last = last_day_in(excuse);
  const auto today = day_from_text(started.substr(0, 10));
  if (!last || !today) return std::nullopt;
  return (*last - std::chrono::sys_days(*today)).count();
}

Cell days_cell(const std::string& excuse, const std::string& started) {
  const auto days = days_until(excuse, started);
  return days ? number(static_cast<double>(*days), fmt::format("{}", *days)) : Cell{};
}

using Key = std::tuple<std::size_t, std::string, std::string>;

Table waived_cases(const PageData& page_data) {
  Table table{
      "Waived failures",
      {"Case", "Subject", "Contracts", "Why, and until when", "Days left on the day of the run"},
      {},
      true};
  std::map<Key, std::size_t> places;
  for (const SubjectRun& run : page_data.runs) {
    for (const report::CaseRecord& test : run.subject->cases) {
      if (test.outcome != "waived") continue;
      const auto [place, is_new] =
          places.emplace(Key{run.number, test.id, test.excuse}, table.rows.size());
      if (is_new) {
        table.rows.push_back({{{link_to(anchor_of_case(test.id), test.id), {}},
                               {run.label, {}},
                               {test.contract, {}},
                               {cut(test.excuse, 600), {}},
                               days_cell(test.excuse, run.source->run->started)},
                              ""});
      } else {
        table.rows[place->second].cells[2].content += ", " + test.contract;
      }
    }
  }
  return table;
}

Markup findings(const PageData& page_data) {
  Markup items;
  for (const SubjectRun& run : page_data.runs) {
    for (const std::string& finding : run.subject->waiver_findings) {
      items += element("li", element("b", run.label) + ": " + finding);
    }
  }
  return items.empty() ? Markup() : element("h3", "About the waivers") + element("ul", items);
}

}  // namespace

std::optional<std::size_t> days_left(const PageData& page_data) {
  std::optional<std::int64_t> least;
  for (const SubjectRun& run : page_data.runs) {
    for (const report::CaseRecord& test : run.subject->cases) {
      if (test.outcome != "waived") continue;
      const auto days = days_until(test.excuse, run.source->run->started);
      if (days && (!least || *days < *least)) least = days;
    }
  }
  if (!least || *least < 0) return std::nullopt;
  return static_cast<std::size_t>(*least);
}

Section waivers_section(const PageData& page_data) {
  const Table table = waived_cases(page_data);
  Markup content = findings(page_data);
  if (!table.rows.empty()) content += to_markup(table, 500, "case");
  return {"waivers", "Waivers", std::to_string(table.rows.size()), content};
}

// What is unsupported.

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
