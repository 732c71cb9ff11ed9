// Runs litmus programs on the subject that the user names.
#pragma once

#include <cstdint>
#include <string>

#include "harness/litmus/tests.hpp"
#include "harness/report/litmus_record.hpp"
#include "harness/subjects/connect.hpp"
#include "harness/suite/session.hpp"

namespace assay {

struct LitmusSettings {
  std::string subject = "reference";
  SubjectOptions connection;
  Contract contract;
  /// The schedule of a simulated machine: `eager`, `lazy` or `random`. Empty: random, or eager for
  /// gated forms.
  std::string schedule;
  std::uint64_t seed = 1;
  std::int64_t runs = 100;
  bool gated = false;
};

/// One connected subject. Each program begins in the subject's initial state.
class LitmusSession {
 public:
  /// Throws UsageError if the options cannot be satisfied.
  explicit LitmusSession(LitmusSettings settings);

  report::LitmusEntry run(const LitmusTest& test);
  /// A fresh session: resets the subject and applies the schedule. Restarts the subject if it has
  /// ended.
  Session begin();

  bool is_simulated() const;
  const SubjectInfo& info() const { return info_; }
  /// `schedule random, seed 1`, or nothing.
  std::string schedule() const;

 private:
  void run_all(Session& session, const LitmusTest& test, report::LitmusEntry& entry);

  LitmusSettings settings_;
  ConnectedSubject subject_;
  SubjectInfo info_;
  bool broken_ = false;
};

}  // namespace assay
