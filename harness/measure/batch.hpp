// One batch of a loop, which is one `bench.run`, believed only with the checksum that it must have.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>

#include "harness/measure/loops.hpp"
#include "harness/subject/link/link.hpp"

namespace assay::measure {

/// The subject raised, or did something else than the loop.
class LoopFailed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The loop ran, and was right, on a device that is not real: no time of it means anything.
class NoTime : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The subject does not have the loop.
class LoopMissing : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The loop's name and arguments, as commands carry them.
Fields to_fields(const LoopCall& call);

/// Runs a loop of a subject, batch by batch.
class Batches {
 public:
  /// Both outlive it.
  Batches(Link& link, const LoopCall& call) : link_(link), call_(call) {}

  /// Nanoseconds of so many iterations by the subject's own clock, or its device's. What the loop
  /// must have done, and left on a device, is worked out here; of the latter a part is looked at.
  /// Throws LoopFailed, LoopMissing, NoTime and LinkBroken.
  std::int64_t run(std::int64_t times);
  /// Does the loop do what it should? A few iterations, an odd number and an even one, enough to
  /// tell their order and number; all that is left on a device. Throws as `run` does.
  void check();
  /// The language of the loop, as the last reply said: `c++` or `python`.
  const std::string& via() const { return via_; }

 private:
  /// Nothing for a loop on a device that is not real.
  std::optional<std::int64_t> run(std::int64_t times, Part part);
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
