// Known differences: a file says which failures of which subjects are accepted, why, and until
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
  std::string subject = "*";      ///< glob on the subject, as typed or as it calls itself
  std::string device = "*";       ///< glob on the devices that the case could use
  std::vector<Release> releases;  ///< none means all
  std::string reason, link, owner;
  std::chrono::year_month_day expires;  ///< the last day on which it waives
  /// All of these must be in the failure's words, whatever their case; or one glob on its sentence.
  std::vector<std::string> tokens;
  std::string pattern;
  std::string place;  ///< `waivers.toml:3`
};

/// Throws std::runtime_error with file, line and column when the text is not such a file.
std::vector<Waiver> waivers_from_toml(std::string_view text, std::string_view name);

/// `2026-11-21`; nothing when there is no such day.
std::optional<std::chrono::year_month_day> day_from_text(std::string_view text);
std::string to_text(const std::chrono::year_month_day& day);
std::chrono::year_month_day today_utc();

/// Is this failure the one that the waiver was written for?
bool has_signature(const Waiver& waiver, const Failure& failure);

/// The waivers of one subject's run. May be used from several threads.
class WaiverPolicy {
 public:
  WaiverPolicy(std::vector<Waiver> waivers, std::chrono::year_month_day today);

  /// `typed` is what the user called the subject.
  void set_subject(const std::string& typed, const SubjectInfo& info);

  /// Turns a failure that is waived into `waived`, and remembers what each waiver did.
  void judge(CaseResult& result);

  /// What is wrong with the waivers, a sentence each: expired, unused, unexpectedly passing. Of a
  /// waiver whose cases did not run here nothing can be said, unless there are no such cases.
  std::vector<std::string> findings() const;

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
  std::string typed_;
  SubjectInfo info_;
};

}  // namespace assay
