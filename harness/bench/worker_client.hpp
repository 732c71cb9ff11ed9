// The orchestrator's side of the connection to a worker process.
#pragma once

#include <memory>

#include "harness/measure/timed_loop.hpp"
#include "harness/report/bench/record.hpp"
#include "harness/subject/link/link.hpp"
#include "harness/suite/session.hpp"

namespace assay::bench {

/// Medians of the measuring overhead in one process.
struct Floors {
  double timer_cost_ns = 0;
  double timer_resolution_ns = 0;
  double empty_loop_ns = 0;
  double null_call_ns = 0;
  bool takes_iterations = false;  ///< a worker of an older build does not
};

/// A worker replied with an error, or with an invalid reply.
class WorkerError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Every function throws LinkBroken if the worker is gone, and WorkerError.
class WorkerClient {
 public:
  explicit WorkerClient(std::unique_ptr<Link> link) : link_(std::move(link)) {}

  /// Also throws BadReply.
  SubjectInfo hello();
  report::BenchBuild build();
  Floors calibrate(const measure::TimingOptions& options);
  /// Also throws measure::LoopMissing and measure::TimeNotMeaningful.
  measure::TimedLoop time(const measure::LoopCall& call, const measure::TimingOptions& options);
  Link& link() { return *link_; }

 private:
  Reply ask(const char* verb, Fields with);

  std::unique_ptr<Link> link_;
  std::int64_t last_id_ = 0;
};

}  // namespace assay::bench
