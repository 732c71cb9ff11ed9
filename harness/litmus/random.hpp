// Random litmus programs on a subject.
#pragma once

#include <cstdint>

#include "harness/litmus/session.hpp"

namespace assay {

struct RandomLitmus {
  std::uint64_t count = 0;
  std::uint64_t seed = 1;
  /// Run long programs and judge what they showed; else compare, of small ones, what the axioms and
  /// the subject's own search permit.
  bool run = false;
};

/// Prints what it finds, and the verdict; returns the exit code.
int random_litmus(LitmusSession& session, const RandomLitmus& wanted, const std::string& subject);

}  // namespace assay
