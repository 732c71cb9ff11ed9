// Runs cases as GoogleTests, for IDEs and ctest.
#pragma once

#include "harness/suite/runner/runner.hpp"

namespace assay {

/// Registers each case that runs by default, under its first contract: `amp/unscale/one` is the
/// test `one` of the suite `amp/unscale`. All tests use `runner`, which must outlive them.
void register_with_gtest(Runner& runner);

/// The body of `main`: parses GoogleTest's options and returns its exit status.
int run_with_gtest(Runner& runner, int argc, char** argv);

}  // namespace assay
