// One batch of a loop, which is one `bench.run`, believed only with the checksum that it must have.
#pragma once

#include <stdexcept>
#include <string>

#include "harness/measure/loops.hpp"
#include "harness/subject/link.hpp"

namespace assay::measure {

/// The subject raised, or did something else than the loop.
class LoopFailed : public std::runtime_error {
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

  /// Nanoseconds of so many iterations by the subject's own clock. Throws LoopFailed, LoopMissing
  /// and LinkBroken.
  std::int64_t run(std::int64_t times);
  /// Does the loop do what it should? A few iterations, enough to tell their order and number.
  void check();
  /// The language of the loop, as the last reply said: `c++` or `python`.
  const std::string& via() const { return via_; }

 private:
  std::uint64_t expected(std::int64_t times);

  Link& link_;
  const LoopCall& call_;
  std::string via_;
  std::int64_t expected_times_ = 0;
  std::uint64_t expected_sum_ = 0;
};

}  // namespace assay::measure
