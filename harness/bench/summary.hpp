// What is computed of a run: medians over processes, intervals, multiples, the noise floor.
#pragma once

#include "harness/bench/session.hpp"

namespace assay::bench {

/// Fewer processes give no interval: the smallest and the largest of five cover a median in 94 % of
/// all cases.
inline constexpr std::size_t kFewestForInterval = 6;

/// The median of `medians` with its interval at 95 %. At least one.
report::BenchFigure figure_of(std::vector<double> medians);

/// Fills center, interval and multiple of what was measured.
void summarize(report::BenchMeasurement& cell);

/// Nothing without a process.
report::BenchCalibration calibration_of(const std::vector<Floors>& floors);

/// Over the cases that a subject and its copy both measured; nothing where there is none.
std::optional<report::BenchNoiseFloor> noise_floor_of(
    const std::vector<report::BenchSubject>& subjects,
    const std::vector<report::BenchMeasurement>& measurements);

/// Sentences on what makes the numbers of `record` doubtful: load, governor, few processes, …
std::vector<report::BenchWarning> warnings_about(const report::BenchRecord& record);

}  // namespace assay::bench
