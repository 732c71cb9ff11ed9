// The texts of the clauses, with the cases that witness them.
#include "harness/suite/clauses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "harness/page/data/clause_text.hpp"
#include "harness/page/sections/sections.hpp"

namespace assay::page {
namespace {

struct Witnesses {
  std::set<std::string> cases;
  std::size_t spoiled = 0;
};

using Witnessed = std::map<std::string, Witnesses, std::less<>>;

Witnessed witnessed_in(const PageData& page_data) {
  Witnessed clauses;
  for (const SubjectRun& run : page_data.runs) {
    for (const report::CaseRecord& test : run.subject->cases) {
      for (const std::string& id : test.clauses) {
        clauses[id].cases.insert(test.id);
        if (report::spoils(test)) ++clauses[id].spoiled;
      }
    }
  }
  return clauses;
}

Markup entry(const std::string& id, const Clause* clause, const Witnesses& witnesses) {
  Markup head = element("b", id);
  if (clause != nullptr) head += Markup(" ") + inline_markdown(clause->title);
  if (witnesses.spoiled > 0) {
    head += Markup(" ") +
            element("span", {{"class", "bad"}}, "✗ " + counted(witnesses.spoiled, "failure"));
  }
  Markup cases;
  for (const std::string& name : witnesses.cases)
    cases += element("li", link_to(anchor_of_case(name), name));
  const Markup text =
      clause == nullptr ? element("p", "This program lacks its text.") : clause_body(*clause);
  const Markup list = element("p", {{"class", "under"}}, "Witnessed by") +
                      element("ul", {{"class", "cases"}}, cases);
  return foldable(head, text + list, anchor_of_clause(id));
}

/// The clauses with the same prefix: `AMP` for `AMP-101`.
struct Chapter {
  std::string name;
  Markup entries;
  std::size_t clauses = 0, broken = 0;
};

using Chapters = std::vector<Chapter>;

void add(Chapters& chapters, const std::string& id, const Clause* clause,
         const Witnesses& witnesses) {
  const std::string name = id.substr(0, id.find('-'));
  auto chapter = std::ranges::find(chapters, name, &Chapter::name);
  if (chapter == chapters.end()) chapter = chapters.insert(chapter, {name, {}});
  chapter->entries += entry(id, clause, witnesses);
  ++chapter->clauses;
  if (witnesses.spoiled > 0) ++chapter->broken;
}

Markup markup_of(const Chapter& chapter, bool is_open) {
  Markup head = element("b", chapter.name) + " " + counted(chapter.clauses, "clause");
  if (chapter.broken > 0)
    head += Markup(", ") +
            element("span", {{"class", "bad"}}, fmt::format("✗ {} broken", chapter.broken));
  return foldable(head, chapter.entries, "", is_open);
}

}  // namespace

Section clauses_section(const PageData& page_data) {
  const Witnessed clauses = witnessed_in(page_data);
  Chapters chapters;
  // In the order of the specification, followed by unknown clauses.
  for (const Clause& clause : all_clauses()) {
    const auto found = clauses.find(clause.id);
    if (found != clauses.end()) add(chapters, clause.id, &clause, found->second);
  }
  for (const auto& [id, witnesses] : clauses) {
    if (find_clause(id) == nullptr) add(chapters, id, nullptr, witnesses);
  }
  Markup content;
  for (const Chapter& chapter : chapters) content += markup_of(chapter, chapters.size() == 1);
  return {"clauses", "Clauses", std::to_string(clauses.size()), content};
}

}  // namespace assay::page
