// Reads waiver files, applies waivers to failures, and finds waivers that are no longer valid.
#include "harness/suite/waivers/waivers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <span>
#include <stdexcept>
#include <utility>

#include "harness/suite/runner/selection.hpp"
#include "harness/suite/toml.hpp"

namespace assay {

// The files.

namespace {

using Keys = std::span<const std::string_view>;

constexpr std::array<std::string_view, 9> kKeys{"cases", "subject", "device",  "releases", "reason",
                                                "link",  "owner",   "expires", "signature"};

[[noreturn]] void refuse(std::string_view name, const toml::source_position& at,
                         const std::string& what) {
  throw std::runtime_error(fmt::format("{}:{}:{}: {}", name, at.line, at.column, what));
}

/// Parses one [[waiver]] and reports its errors.
class Entry {
 public:
  Entry(const toml::table& table, std::string_view name) : table_(table), name_(name) {}

  Waiver read() const {
    refuse_unknown_keys();
    Waiver waiver;
    waiver.place = fmt::format("{}:{}", name_, table_.source().begin.line);
    waiver.cases = text("cases");
    waiver.reason = text("reason");
    read_signature(waiver);
    if (table_.contains("subject")) waiver.subject = text("subject");
    if (table_.contains("device")) waiver.device = text("device");
    waiver.releases = releases();
    waiver.link = text("link");
    waiver.owner = text("owner");
    waiver.expires = expires();
    return waiver;
  }

 private:
  [[noreturn]] void complain(const toml::node& node, const std::string& what) const {
    refuse(name_, node.source().begin, what);
  }

  void refuse_unknown_keys() const {
    for (const auto& [key, value] : table_) {
      if (std::ranges::find(kKeys, std::string_view(key.str())) != kKeys.end()) continue;
      refuse(name_, key.source().begin,
             fmt::format("a waiver has no '{}'; it has {}", std::string_view(key.str()),
                         fmt::join(kKeys, ", ")));
    }
  }

  const toml::node& at(std::string_view key) const {
    const toml::node* node = table_.get(key);
    if (node == nullptr) complain(table_, fmt::format("this waiver lacks '{}'", key));
    return *node;
  }

  std::string text(std::string_view key) const {
    const toml::node& node = at(key);
    const auto value = node.value_exact<std::string>();
    if (!value || value->empty())
      complain(node, fmt::format("'{}' must be a string that is not empty", key));
    return *value;
  }

  std::vector<std::string> texts(const toml::node& node, std::string_view key) const {
    const toml::array* list = node.as_array();
    if (list == nullptr || list->empty())
      complain(node, fmt::format("'{}' must be a list of strings", key));
    std::vector<std::string> found;
    for (const toml::node& item : *list) {
      const auto value = item.value_exact<std::string>();
      if (!value || value->empty())
        complain(item, fmt::format("'{}' must be a list of strings that are not empty", key));
      found.push_back(*value);
    }
    return found;
  }

  std::vector<Release> releases() const {
    std::vector<Release> found;
    const toml::node* node = table_.get("releases");
    if (node == nullptr) return found;
    for (const std::string& text : texts(*node, "releases")) {
      const auto release = release_named(text);
      if (!release)
        complain(*node, fmt::format("'{}' is not a release; the releases are {}", text,
                                    fmt::join(release_names(), ", ")));
      found.push_back(*release);
    }
    return found;
  }

  std::chrono::year_month_day expires() const {
    const toml::node& node = at("expires");
    if (const auto date = node.value_exact<toml::date>()) {
      return {std::chrono::year(date->year), std::chrono::month(date->month),
              std::chrono::day(date->day)};
    }
    const auto day = day_from_text(node.value_exact<std::string>().value_or(""));
    if (!day) complain(node, "'expires' must be a day such as 2027-03-31");
    return *day;
  }

  void read_signature(Waiver& waiver) const {
    const toml::node& node = at("signature");
    if (node.is_string())
      waiver.pattern = text("signature");
    else
      waiver.tokens = texts(node, "signature");
  }

  const toml::table& table_;
  std::string_view name_;
};

}  // namespace

std::vector<Waiver> waivers_from_toml(std::string_view text, std::string_view name) {
  const toml::table file = toml_from(text, name);
  std::vector<Waiver> waivers;
  for (const auto& [key, value] : file) {
    if (std::string_view(key.str()) != "waiver") {
      refuse(name, key.source().begin,
             fmt::format("expected [[waiver]], got '{}'", std::string_view(key.str())));
    }
    if (!value.is_array_of_tables()) {
      refuse(name, value.source().begin, "'waiver' must be written as [[waiver]]");
    }
    for (const toml::node& node : *value.as_array()) {
      waivers.push_back(Entry(*node.as_table(), name).read());
    }
  }
  return waivers;
}

std::optional<std::chrono::year_month_day> day_from_text(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return std::nullopt;
  const auto number = [&](std::size_t at, std::size_t length) {
    unsigned value = 0;
    const char* end = text.data() + at + length;
    const auto [stop, error] = std::from_chars(text.data() + at, end, value);
    return error == std::errc() && stop == end ? value : 0U;
  };
  const std::chrono::year_month_day day(std::chrono::year(static_cast<int>(number(0, 4))),
                                        std::chrono::month(number(5, 2)),
                                        std::chrono::day(number(8, 2)));
  if (!day.ok()) return std::nullopt;
  return day;
}

std::string to_text(const std::chrono::year_month_day& day) {
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(day.year()),
                     static_cast<unsigned>(day.month()), static_cast<unsigned>(day.day()));
}

std::chrono::year_month_day today_utc() {
  return {std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now())};
}

// What they waive.

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
