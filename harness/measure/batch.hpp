// Runs one batch of a loop as one `bench.run`, and verifies its checksum.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>

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

/// Runs a loop of a subject, batch by batch.
class Batches {
 public:
  /// Both must outlive this object.
  Batches(Link& link, const LoopCall& call) : link_(link), call_(call) {}

  /// Runs the loop `times` times. Returns nanoseconds by the clock of the subject or its device.
  /// Checks the reply against the expected checksum and, for device loops, part of the data left on
  /// the device. Throws LoopFailed, LoopMissing, TimeNotMeaningful and LinkBroken.
  std::int64_t run(std::int64_t times);
  /// Runs the loop where kernels do not run. Checks the checksum alone. Throws as `run` does.
  void run_without_kernels(std::int64_t times);
  /// Checks the loop with a few iterations, an odd and an even number, enough to detect a wrong
  /// order or number, and compares all data left on the device. Throws as `run` does.
  void check();
  /// The language of the loop in the last reply: `c++` or `python`.
  const std::string& via() const { return via_; }

 private:
  /// Nothing for a loop on a simulated device.
  std::optional<std::int64_t> run(std::int64_t times, Part part);
  /// The reply, with the right checksum.
  Reply reply_after(std::int64_t times, Part part);
  void expect_steps(const Reply& reply, std::int64_t times);
  void expect_result(const Reply& reply, std::int64_t times, Part part) const;
  void expect_counts(const Reply& reply, std::int64_t times) const;
  std::uint64_t expected(std::int64_t times);

  Link& link_;
  const LoopCall& call_;
  std::string via_;
  std::int64_t expected_times_ = 0;
  std::uint64_t expected_sum_ = 0;
};

}  // namespace assay::measure
