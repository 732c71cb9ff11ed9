// Litmus programs on the subject that a user names.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "harness/litmus/tests.hpp"
#include "harness/report/litmus_record.hpp"
#include "harness/subjects/connect.hpp"
#include "harness/suite/session.hpp"

namespace assay {

struct LitmusWishes {
  std::string subject = "reference";
  SubjectOptions connection;
  Contract contract;
  /// Of a simulated machine: `eager`, `lazy`, `random`; empty, where it is one: random, or eager
  /// for gated forms.
  std::string schedule;
  std::uint64_t seed = 1;
  std::int64_t runs = 100;
  bool gated = false;
};

/// One subject, greeted; each program begins from its first state.
class LitmusSession {
 public:
  /// Throws UsageError when the wishes cannot be met.
  explicit LitmusSession(LitmusWishes wishes);

  report::LitmusEntry run(const LitmusTest& test);
  /// A fresh conversation: reset, and scheduled as was wished. Starts the subject again if it
  /// ended.
  Session begin();

  bool is_simulated() const;
  const SubjectInfo& info() const { return info_; }
  /// `schedule random, seed 1`, or nothing.
  std::string schedule() const;

 private:
  void run_all(Session& session, const LitmusTest& test, report::LitmusEntry& entry);

  LitmusWishes wishes_;
  ConnectedSubject subject_;
  SubjectInfo info_;
  bool broken_ = false;
};

}  // namespace assay
