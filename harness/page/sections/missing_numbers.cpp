// Summarizes missing numbers in a few lines.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "harness/page/sections/sections.hpp"

namespace assay::page {
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

}  // namespace assay::page
