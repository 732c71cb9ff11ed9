// Applies waivers to failures, and finds waivers that are no longer valid.
#include "harness/suite/waivers/waivers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "harness/suite/runner/selection.hpp"

namespace assay {
namespace {

std::string lower(std::string_view text) {
  std::string low(text);
  std::transform(low.begin(), low.end(), low.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return low;
}

/// Errors of the harness itself are never waived.
bool can_be_waived(const CaseResult& result) {
  switch (result.outcome) {
    case Outcome::kFail:
    case Outcome::kCrash:
    case Outcome::kTimeout:
    case Outcome::kFlaky:
    case Outcome::kWaived:  // read from the journal of an interrupted run
      return true;
    case Outcome::kUnsupported:
      return !result.excused;
    default:
      return false;
  }
}

std::string excuse_of(const Waiver& waiver) {
  return fmt::format("{} ({}, {}, until {}; {})", waiver.reason, waiver.link, waiver.owner,
                     to_text(waiver.expires), waiver.place);
}

}  // namespace

bool has_signature(const Waiver& waiver, const Failure& failure) {
  if (!waiver.pattern.empty()) return glob_matches(waiver.pattern, failure.sentence);
  const std::string words = lower(failure.sentence + "\n" + failure.expected + "\n" + failure.got +
                                  "\n" + failure.last_words);
  return std::all_of(waiver.tokens.begin(), waiver.tokens.end(), [&](const std::string& token) {
    return words.find(lower(token)) != std::string::npos;
  });
}

bool has_case(const Waiver& waiver) {
  if (waiver.names_a_case) return *waiver.names_a_case;
  return std::any_of(all_cases().begin(), all_cases().end(),
                     [&](const Case& test) { return glob_matches(waiver.cases, test.id); });
}

WaiverPolicy::WaiverPolicy(std::vector<Waiver> waivers, std::chrono::year_month_day today) {
  for (Waiver& waiver : waivers) {
    Record record;
    record.expired = waiver.expires < today;
    record.waiver = std::move(waiver);
    records_.push_back(std::move(record));
  }
}

void WaiverPolicy::set_subject(const std::string& typed, const SubjectInfo& info) {
  typed_ = typed;
  info_ = info;
}

bool WaiverPolicy::in_scope(const Waiver& waiver, const CaseResult& result) const {
  if (!glob_matches(waiver.cases, result.test->id)) return false;
  // A command line may contain characters that are special in globs.
  const bool mine = waiver.subject == typed_ || glob_matches(waiver.subject, typed_) ||
                    glob_matches(waiver.subject, info_.name);
  if (!mine) return false;
  const auto& releases = waiver.releases;
  if (!releases.empty() &&
      std::find(releases.begin(), releases.end(), result.contract.release) == releases.end()) {
    return false;
  }
  const bool cuda = result.contract.cuda();
  if (glob_matches(waiver.device, cuda ? "cuda" : "cpu")) return true;
  return cuda && std::any_of(info_.devices.begin(), info_.devices.end(), [&](const Device& device) {
           return device.type != "cpu" && glob_matches(waiver.device, to_text(device));
         });
}

void WaiverPolicy::judge(CaseResult& result) {
  const std::scoped_lock lock(mutex_);
  const Outcome outcome = result.outcome;
  bool is_covered = false;
  for (Record& record : records_) {
    if (!in_scope(record.waiver, result)) continue;
    if (!std::exchange(is_covered, true)) ++covered_;
    ++record.ran;
    if (outcome == Outcome::kPass) record.passed.push_back(result.test->id);
    const bool fits =
        can_be_waived(result) && result.failure && has_signature(record.waiver, *result.failure);
    if (!fits || record.expired) continue;
    ++record.waived;
    result.unwaived = outcome;
    result.outcome = Outcome::kWaived;
    result.excuse = excuse_of(record.waiver);
    return;
  }
}

std::string WaiverPolicy::finding_about(const Record& record) const {
  const Waiver& waiver = record.waiver;
  const std::string head = fmt::format("{}: the waiver of '{}' ", waiver.place, waiver.cases);
  if (record.expired) return head + "expired after " + to_text(waiver.expires);
  if (!record.passed.empty()) {
    return head + fmt::format("is not needed for {} of {} cases, which pass: {}",
                              record.passed.size(), record.ran,
                              // The minimum is independent of the order of completion.
                              *std::min_element(record.passed.begin(), record.passed.end()));
  }
  if (record.waived > 0) return "";
  if (record.ran > 0) return head + "is unused: no failure had its signature";
  return has_case(waiver) ? "" : head + "is unused: there is no such case";
}

std::size_t WaiverPolicy::covered() const {
  const std::scoped_lock lock(mutex_);
  return covered_;
}

std::vector<std::string> WaiverPolicy::findings() const {
  const std::scoped_lock lock(mutex_);
  std::vector<std::string> found;
  for (const Record& record : records_) {
    std::string finding = finding_about(record);
    if (!finding.empty()) found.push_back(std::move(finding));
  }
  return found;
}

}  // namespace assay
