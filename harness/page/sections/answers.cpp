// The first screen: the most important questions and their answers.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "harness/compare/compare.hpp"
#include "harness/compare/render/render.hpp"
#include "harness/page/data/clause_text.hpp"
#include "harness/page/sections/sections.hpp"
#include "harness/suite/clauses.hpp"

namespace assay::page {

// A few lines about missing numbers.

namespace {

/// `11 on pointer: function pointers have no loop observed, and 10 more reasons`
std::string by_subject(const std::vector<Missing>& all) {
  struct MissingOfSubject {
    std::size_t numbers = 0, reasons = 0;
    std::string first;
  };
  std::map<std::string, MissingOfSubject> subjects;
  for (const Missing& missing : all) {
    MissingOfSubject& lack = subjects[missing.subject];
    lack.numbers += missing.names.size();
    if (lack.reasons++ == 0)
      lack.first = (missing.failed ? "✗ failed, " : "") + cut(missing.reason, 160);
  }
  std::string text;
  for (const auto& [subject, lack] : subjects) {
    text +=
        fmt::format("{}{} on {}: {}", text.empty() ? "" : "; ", lack.numbers, subject, lack.first);
    if (lack.reasons > 1) text += fmt::format(", and {}", counted(lack.reasons - 1, "more reason"));
  }
  return text;
}

/// The number of missing numbers in each of these records, and the reasons.
struct MissingSummary {
  std::size_t count = 0, all = 0;
  std::string reasons;
  std::vector<const Bench*> benches;
};

MissingSummary missing_in(const Bench& bench) {
  const std::vector<Missing> missing = missing_of(bench);
  MissingSummary lacking{0, bench.record->measurements.size(), by_subject(missing), {&bench}};
  for (const Missing& one : missing) lacking.count += one.names.size();
  return lacking;
}

std::vector<MissingSummary> missing_in(const std::vector<Bench>& benches) {
  std::vector<MissingSummary> all;
  for (const Bench& bench : benches) {
    MissingSummary lacking = missing_in(bench);
    if (lacking.count == 0) continue;
    const auto found = std::ranges::find_if(all, [&](const MissingSummary& one) {
      return one.count == lacking.count && one.all == lacking.all && one.reasons == lacking.reasons;
    });
    if (found == all.end()) {
      all.push_back(std::move(lacking));
    } else {
      found->benches.push_back(&bench);
    }
  }
  return all;
}

}  // namespace

Markup about_missing_numbers(const PageData& page_data) {
  constexpr std::size_t kMost = 5;
  const std::vector<MissingSummary> all = missing_in(page_data.benches);
  Markup content;
  for (std::size_t i = 0; i < std::min(all.size(), kMost); ++i) {
    const MissingSummary& one = all[i];
    const Bench& first = *one.benches.front();
    const std::string where =
        one.benches.size() == 1
            ? fmt::format("{} in {}", one.count, first.source->name)
            : fmt::format("{} in each of {} records", one.count, one.benches.size());
    content += element("p", (first.is_whole ? link_to(anchor_of_missing(first), where) : where) +
                                fmt::format(", of {}: {}", one.all, one.reasons));
  }
  if (all.size() > kMost)
    content += element("p", fmt::format("and others in {}", counted(all.size() - kMost, "record")));
  return content;
}

// The answers.

namespace {

using compare::Comparison;

constexpr std::size_t kMostOfAKind = 5;

Markup answer(const Markup& question, const Markup& content) {
  return content.empty() ? Markup() : element("dt", question) + element("dd", content);
}

Markup line(const Markup& content) { return element("p", content); }

/// Separated from its neighbours.
Markup entry(const Markup& content) { return element("div", {{"class", "entry"}}, content); }

Markup small_line(const Markup& content) { return element("p", {{"class", "under"}}, content); }

/// Names of a few runs, or a count of many.
Markup names_of(const std::vector<const SubjectRun*>& runs, std::size_t all) {
  if (runs.size() > kMostOfAKind) return fmt::format("{} of {} subjects", runs.size(), all);
  Markup names;
  for (const SubjectRun* run : runs) {
    if (!names.empty()) names += ", ";
    names += link_to(anchor_of_run(*run), run->label);
  }
  return names;
}

/// Verdicts with their subjects, the worst first.
Markup verdicts_of(const std::vector<SubjectRun>& runs) {
  std::map<std::pair<int, std::string>, std::vector<const SubjectRun*>> groups;
  for (const SubjectRun& run : runs)
    groups[{badness_of(run.subject->exit_code), run.subject->verdict}].push_back(&run);
  Markup content;
  for (auto group = groups.rbegin(); group != groups.rend(); ++group) {
    const auto& members = group->second;
    content += line(verdict_mark(group->first.second, members.front()->subject->exit_code) + " " +
                    names_of(members, runs.size()));
  }
  return content;
}

/// `under 2.11/cuda/strict`, or the number of contracts and their releases.
std::string contracts_of(const std::vector<SubjectRun>& runs) {
  std::set<std::string> contracts;
  std::set<std::string, ByVersion> releases;
  for (const SubjectRun& run : runs) {
    for (const auto& [contract, tally] : run.contracts) {
      contracts.insert(contract);
      releases.insert(contract.substr(0, contract.find('/')));
    }
  }
  const std::string which =
      contracts.size() == 1 ? *contracts.begin() : counted(contracts.size(), "contract");
  return fmt::format("under {} (PyTorch {})", which, fmt::join(releases, ", "));
}

std::string totals_of(const std::vector<SubjectRun>& runs) {
  std::size_t all = 0, passed = 0;
  for (const SubjectRun& run : runs) {
    all += run.tally.all;
    passed += run.tally.of("pass");
  }
  return fmt::format("{} of {} results pass, ", passed, all);
}

/// The subjects whose cost is on the page, but of which no run of the suites is.
Markup about_only_timed(const PageData& page_data) {
  std::set<std::string> subjects = timed_subjects(page_data);
  for (const SubjectRun& run : page_data.runs) subjects.erase(run.subject->subject);
  if (subjects.empty()) return {};
  return small_line("Timed, but not run against the suites here: " + some_of(subjects));
}

Markup about_conformance(const PageData& page_data) {
  const auto& runs = page_data.runs;
  if (runs.empty()) return {};
  const Markup verdicts =
      runs.size() > 1
          ? verdicts_of(runs) + small_line(totals_of(runs) + contracts_of(runs))
          : line(marked_line(runs.front().subject->line, runs.front().subject->exit_code)) +
                small_line(contracts_of(runs));
  return verdicts + about_only_timed(page_data);
}

/// Omits names that are too long or too many.
std::string whom_of(const std::set<std::string>& subjects, std::size_t all) {
  constexpr std::size_t kMostBytes = 72;
  const std::string names = some_of(subjects);
  if (names.size() <= kMostBytes) return names;
  return fmt::format("{} of {} subjects", subjects.size(), all);
}

Markup about_broken(const PageData& page_data) {
  const std::vector<BrokenClause>& clauses = page_data.broken;
  Markup items;
  for (std::size_t i = 0; i < std::min(clauses.size(), kMostOfAKind); ++i) {
    const Clause* clause = find_clause(clauses[i].id);
    Markup item = link_to(clauses[i].anchor, clauses[i].id);
    if (clause != nullptr) item += Markup(" ") + inline_markdown(clause->title);
    if (page_data.runs.size() > 1)
      item += element("span", {{"class", "tag"}},
                      " on " + whom_of(clauses[i].subjects, page_data.runs.size()));
    items += element("li", item);
  }
  if (clauses.size() > kMostOfAKind) {
    items += element(
        "li", link_to("broken-clauses", fmt::format("and {} more", clauses.size() - kMostOfAKind)));
  }
  return items.empty() ? items : element("ul", items);
}

Markup about_unsupported(const PageData& page_data) {
  std::size_t results = 0, unannounced = 0;
  std::set<std::string> subjects;
  for (const SubjectRun& run : page_data.runs) {
    const std::size_t count = run.tally.of("unsupported");
    if (count > 0) subjects.insert(run.label);
    results += count;
    unannounced += count - run.tally.excused;
  }
  if (results == 0) return {};
  const std::string rest =
      unannounced == 0 ? ", all announced" : fmt::format(", {} unannounced", unannounced);
  return line(link_to("unsupported", counted(results, "result")) + " on " + some_of(subjects) +
              rest);
}

Markup about_waivers(const PageData& page_data) {
  std::size_t count = 0;
  for (const SubjectRun& run : page_data.runs) count += run.tally.of("waived");
  if (count == 0) return {};
  const auto left = days_left(page_data);
  const std::string rest =
      left ? fmt::format("; the first waiver ends in {}", counted(*left, "day")) : "";
  return line(link_to("waivers", counted(count, "result")) + ", which would have failed" + rest);
}

/// The notes on a record's numbers in one line.
Markup reservations_of(const Bench& bench) {
  const report::BenchRecord& record = *bench.record;
  if (!has_a_number(record)) return "no number";
  if (report::has_counts_only(record)) return "counts, independent of load";
  Markup text = record.noise_floor
                    ? fmt::format("noise floor {:.1f} %", record.noise_floor->relative * 100)
                    : std::string("no noise floor");
  if (record.meta.audited.value_or(false)) text += Markup("; ") + report::kAudited;
  std::string kinds;
  for (const report::BenchWarning& warning : record.warnings)
    kinds += (kinds.empty() ? "" : ", ") + warning.kind;
  if (!kinds.empty()) text += Markup("; ") + link_to(kWarningsAnchor, "!\u00a0" + kinds, "odd");
  const auto is_simulated = [](const report::BenchSubject& subject) {
    return subject.subject == "cuda_on_cpu";
  };
  if (std::ranges::any_of(record.subjects, is_simulated)) {
    text +=
        "; cuda_on_cpu is the host code of the CUDA implementation beside simulated devices: "
        "its times say nothing about a GPU";
  }
  return text;
}

/// An answer about one record.
struct CostEntry {
  Markup headlines, about;
};

/// Records with few or no numbers are listed last.
std::vector<CostEntry> cost_entries(const PageData& page_data) {
  std::vector<CostEntry> entries;
  for (const Bench& bench : page_data.benches) {
    const Markup about = link_to_bench(bench, title_of(bench)) + ": " +
                         marked_line(bench.record->meta.line, bench.record->meta.exit_code) + "; " +
                         reservations_of(bench);
    entries.push_back({headlines_of(bench), small_line(about)});
  }
  std::ranges::stable_partition(entries,
                                [](const CostEntry& one) { return !one.headlines.empty(); });
  return entries;
}

Markup about_cost(const PageData& page_data) {
  Markup content;
  const std::vector<CostEntry> entries = cost_entries(page_data);
  for (std::size_t i = 0; i < std::min(entries.size(), kMostOfAKind); ++i)
    content += entry(entries[i].about + entries[i].headlines);
  if (page_data.benches.size() > kMostOfAKind) {
    content += line(link_to(
        "cost", fmt::format("and {} more records", page_data.benches.size() - kMostOfAKind)));
  }
  return content;
}

Markup about_comparison(const Compared& compared, bool is_one_of_many) {
  if (!compared.found) return line("! Not compared: " + compared.refusal);
  const Comparison& comparison = *compared.found;
  const std::size_t candidates = comparison.columns.size() - 1;
  const bool has_room_for_means = candidates <= kMostOfAKind;
  Markup content;
  for (std::size_t i = 1; i <= std::min(candidates, kMostOfAKind); ++i) {
    content += line(link_to("comparison", comparison.columns[i].label) + " against " +
                    comparison.columns.front().label + ": " + verdicts_against(comparison, i));
    const std::string means = has_room_for_means ? means_against(comparison, i) : "";
    if (!means.empty()) content += small_line("mean of the ratios: " + means);
  }
  if (candidates > kMostOfAKind)
    content += line(link_to("comparison", fmt::format("and {} more", candidates - kMostOfAKind)));
  const std::string name = is_one_of_many ? compared.name + ". " : "";
  return entry(content + small_line(name + rules_text(comparison) + "."));
}

Markup about_comparisons(const PageData& page_data) {
  Markup content;
  for (const Compared& compared : page_data.compared)
    content += about_comparison(compared, page_data.compared.size() > 1);
  return content;
}

Markup about_litmus(const PageData& page_data) {
  Markup lines;
  for (const Source& source : page_data.report.sources) {
    if (source.litmus)
      lines += line(link_to("litmus", source.name) + " " +
                    marked_line(source.litmus->line, source.litmus->exit));
  }
  return lines;
}

}  // namespace

Markup answers(const PageData& page_data) {
  const Markup differs = answer("What differs?", about_comparisons(page_data));
  const Markup costs = answer("What does it cost?", about_cost(page_data));
  const bool is_of_records = std::ranges::any_of(page_data.compared, [](const Compared& compared) {
    return !compared.found || compared.found->columns.front().key.empty();
  });
  return element("dl", {{"class", "answers"}},
                 answer("Does it conform?", about_conformance(page_data)) +
                     answer("Which rules are broken?", about_broken(page_data)) +
                     answer("What went unanswered?", about_unsupported(page_data)) +
                     answer("What is waived?", about_waivers(page_data)) +
                     // With several records, their differences are most important.
                     (is_of_records ? differs + costs : costs + differs) +
                     answer("What has no number?", about_missing_numbers(page_data)) +
                     answer("What do streams show?", about_litmus(page_data)));
}

}  // namespace assay::page
