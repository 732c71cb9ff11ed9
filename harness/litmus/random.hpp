// Random litmus programs on a subject.
#pragma once

#include <cstdint>

#include "harness/litmus/session.hpp"

namespace assay {

struct RandomLitmus {
  std::uint64_t count = 0;
  std::uint64_t seed = 1;
  /// If set, run long programs and judge their outcomes. Otherwise compare, for small programs, the
  /// outcomes that the axioms permit with those of the subject's own search.
  bool run = false;
};

/// Prints findings and the verdict. Returns the exit code.
int random_litmus(LitmusSession& session, const RandomLitmus& wanted, const std::string& subject);

}  // namespace assay
