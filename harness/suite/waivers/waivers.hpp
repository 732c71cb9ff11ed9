// Known differences: files that state which failures of which subjects are accepted, why, and until
// when.
#pragma once

#include <chrono>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/suite/runner/outcome.hpp"

namespace assay {

struct Waiver {
  std::string cases;              ///< glob on case ids
  std::string subject = "*";      ///< glob on the subject's name, as typed or in its hello
  std::string device = "*";       ///< glob on the devices available to the case
  std::vector<Release> releases;  ///< empty: all
  std::string reason, link, owner;
  std::chrono::year_month_day expires;  ///< the last day of validity
  /// Either texts that the failure's message must all contain, ignoring case, or one glob for it.
  std::vector<std::string> tokens;
  std::string pattern;
  std::string place;  ///< `waivers.toml:3`
  /// Set for a waiver from a record, whose run may have had other cases than this program.
  std::optional<bool> names_a_case = {};
};

/// Throws std::runtime_error with file, line and column if the text is not a valid file.
std::vector<Waiver> waivers_from_toml(std::string_view text, std::string_view name);

/// `2026-11-21`; nothing if it is not a valid date.
std::optional<std::chrono::year_month_day> day_from_text(std::string_view text);
std::string to_text(const std::chrono::year_month_day& day);
std::chrono::year_month_day today_utc();

/// True if this is the failure for which the waiver was written.
bool has_signature(const Waiver& waiver, const Failure& failure);

/// False for a waiver that can never apply.
bool has_case(const Waiver& waiver);

/// The waivers of one subject's run. Thread-safe.
class WaiverPolicy {
 public:
  WaiverPolicy(std::vector<Waiver> waivers, std::chrono::year_month_day today);

  /// `typed` is the subject's name as given by the user.
  void set_subject(const std::string& typed, const SubjectInfo& info);

  /// Changes the outcome of a waived failure to `waived`, and records the use of each waiver.
  void judge(CaseResult& result);

  /// Problems of the waivers, one sentence each: expired, unused, unexpectedly passing. Waivers
  /// whose cases did not run are not reported, unless no such cases exist.
  std::vector<std::string> findings() const;

  /// The number of cases that waivers cover, whether they failed or not.
  std::size_t covered() const;

 private:
  struct Record {
    Waiver waiver;
    bool expired = false;
    std::size_t ran = 0;
    std::size_t waived = 0;
    std::vector<std::string> passed;
  };

  bool in_scope(const Waiver& waiver, const CaseResult& result) const;
  std::string finding_about(const Record& record) const;

  mutable std::mutex mutex_;
  std::vector<Record> records_;
  std::size_t covered_ = 0;
  std::string typed_;
  SubjectInfo info_;
};

}  // namespace assay
