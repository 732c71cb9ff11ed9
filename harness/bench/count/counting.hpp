// Implements `assay bench --count`: instruction counts instead of times.
#pragma once

#include "harness/bench/session.hpp"

namespace assay::bench {

/// The number of processes per case: `said`, or the default where `said` is 0. Throws UsageError.
int counts_for(int said, bool quick);

/// Throws UsageError if the user `said` options that apply only to times.
void refuse_timing(bool said);

/// Throws UsageError if Valgrind is missing or a subject is not a native program.
void refuse_uncountable(const Plan& plan);

/// Throws UsageError if Valgrind is missing.
void refuse_without_valgrind(const char* option);

Measured count_instructions(const Plan& plan);

/// Counts the instructions of what an audited run has timed on the host in C++, and refuses times
/// in which they cannot have been executed, and loops without enough of them.
void audit_by_counts(const Plan& plan, Measured& measured);

}  // namespace assay::bench
