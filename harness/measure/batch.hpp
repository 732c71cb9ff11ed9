// Runs one batch of a loop as one `bench.run`, and verifies its checksum.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "harness/measure/loops.hpp"
#include "harness/subject/link/link.hpp"

namespace assay::measure {

/// The subject reported an error, or the loop had a wrong effect.
class LoopFailed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The loop ran correctly, but on a simulated device, whose times are meaningless.
class TimeNotMeaningful : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The subject does not support the loop.
class LoopMissing : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The loop's name and arguments as fields of a command.
Fields to_fields(const LoopCall& call);

/// A batch beside the harness's own clock, in nanoseconds.
struct WatchedBatch {
  double claimed = 0;  ///< by the clock of the subject or its device
  double waited = 0;   ///< from before the seed was drawn until the reply; preparations included
};

/// Runs a loop of a subject, batch by batch.
class Batches {
 public:
  /// The link must outlive this object.
  Batches(Link& link, LoopCall call) : link_(link), call_(std::move(call)) {}

  /// Runs the loop `times` times. Returns nanoseconds by the clock of the subject or its device.
  /// Checks the reply against the expected checksum and, for device loops, part of the data left on
  /// the device. Throws LoopFailed, LoopMissing, TimeNotMeaningful and LinkBroken.
  std::int64_t run(std::int64_t times);
  /// As `run`, from a seed that nobody knows before this process's clock has started.
  WatchedBatch watch(std::int64_t times);
  /// Runs the loop where kernels do not run. Checks the checksum alone. Throws as `run` does.
  void run_without_kernels(std::int64_t times);
  /// Checks the loop with a few iterations, an odd and an even number, enough to detect a wrong
  /// order or number, and compares all data left on the device. Throws as `run` does.
  void check();
  /// As `check`, from unknown seeds, for loops on simulated devices too.
  void check_from_unknown_seeds();
  /// The language of the loop in the last reply: `c++` or `python`.
  const std::string& via() const { return via_; }

 private:
  /// Nothing for a loop on a simulated device.
  std::optional<std::int64_t> run(std::int64_t times, Part part);
  Reply ask(std::int64_t times, Part part);
  /// Requires the right checksum, result and counts; as `run`.
  std::optional<std::int64_t> time_in(const Reply& reply, std::int64_t times, Part part);
  void expect_steps(const Reply& reply, std::int64_t times);
  void expect_result(const Reply& reply, std::int64_t times, Part part) const;
  void expect_counts(const Reply& reply, std::int64_t times) const;
  std::uint64_t expected(std::int64_t times);

  Link& link_;
  LoopCall call_;
  std::string via_;
  std::int64_t expected_times_ = 0;
  std::uint64_t expected_seed_ = 0;
  std::uint64_t expected_sum_ = 0;
};

}  // namespace assay::measure
