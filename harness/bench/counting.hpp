// assay bench --count: instructions in place of times.
#pragma once

#include "harness/bench/session.hpp"

namespace assay::bench {

/// How often each is counted: `said`, or what is usual where nothing (0) was. Throws UsageError.
int counts_for(int said, bool quick);

/// Throws UsageError where options were `said` that are for times.
void refuse_timing(bool said);

/// Throws UsageError where Valgrind is missing, or a subject is no native program.
void refuse_uncountable(const Plan& plan);

Measured count_instructions(const Plan& plan);

}  // namespace assay::bench
