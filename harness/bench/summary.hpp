// Figures of a bench run: medians over processes, intervals, multiples, the noise floor; its
// warnings and its verdict.
#pragma once

#include <string>
#include <vector>

#include "harness/bench/session.hpp"
#include "harness/report/bench/record.hpp"

namespace assay::bench {

/// Fewer processes give no interval: the minimum and the maximum of five samples cover the median
/// with a probability of only 94 %.
inline constexpr std::size_t kFewestForInterval = 6;

/// The median of `medians` with its 95 % interval. Needs at least one value.
report::BenchFigure figure_of(std::vector<double> medians);

/// Sets center, interval and multiple of a measurement.
void summarize(report::BenchMeasurement& cell);

/// Nothing if there are no processes.
report::BenchCalibration calibration_of(const std::vector<Floors>& floors);

/// Computed over the cases measured for both a subject and its copy; nothing if there are none.
std::optional<report::BenchNoiseFloor> noise_floor_of(
    const std::vector<report::BenchSubject>& subjects,
    const std::vector<report::BenchMeasurement>& measurements);

/// Warnings about what makes the numbers of `record` doubtful: load, governor, few processes, …
std::vector<report::BenchWarning> warnings_about(const report::BenchRecord& record);

// The verdict.

/// Sets the exit code and the last line. `named` lists the subjects requested by name: the run
/// fails if one of them has run nothing.
void judge(report::BenchRecord& record, const std::vector<std::string>& named);

}  // namespace assay::bench
