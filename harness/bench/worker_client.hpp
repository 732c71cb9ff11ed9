// The orchestrator's end of a worker process.
#pragma once

#include <memory>
#include <string>

#include "harness/measure/timed_loop.hpp"
#include "harness/report/bench/record.hpp"
#include "harness/subject/link/link.hpp"
#include "harness/suite/session.hpp"

namespace assay::bench {

/// Medians of what measuring costs in one process.
struct Floors {
  double timer_cost_ns = 0;
  double timer_resolution_ns = 0;
  double empty_loop_ns = 0;
  double null_call_ns = 0;
};

/// A worker answered with an error, or with something that is not an answer.
class WorkerError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Each function throws LinkBroken when the worker is gone, and WorkerError.
class WorkerClient {
 public:
  explicit WorkerClient(std::unique_ptr<Link> link) : link_(std::move(link)) {}

  /// Throws BadReply as well.
  SubjectInfo hello();
  report::BenchBuild build();
  Floors calibrate(const measure::TimingOptions& options);
  /// Throws measure::LoopMissing and measure::NoTime as well.
  measure::TimedLoop time(const measure::LoopCall& call, const measure::TimingOptions& options);
  Link& link() { return *link_; }

 private:
  Reply ask(const char* verb, Fields with);

  std::unique_ptr<Link> link_;
  std::int64_t last_id_ = 0;
};

}  // namespace assay::bench
