// Events: markers on lines.
#pragma once

#include <driver_types.h>

#include <map>
#include <memory>
#include <string>

#include "cuda_impl/on_cpu/cudart/timeline.hpp"

namespace assay::cuda::on_cpu {

struct Graph;

struct Event {
  std::uint64_t number = 0;
  int device = 0;
  unsigned flags = 0;
  bool is_recorded = false;
  Point at;                                      ///< its latest record
  std::shared_ptr<std::int64_t> time = nullptr;  ///< when the record was reached
  std::shared_ptr<Graph> capture = nullptr;      ///< the graph in whose capture it was recorded
  std::map<const Line*, std::uint64_t> captured =
      {};  ///< the number of operations of each line before it
};

/// The events of the process by handle. Requires the machine's lock.
class Events {
 public:
  static Events& get();

  Event& add(int device, unsigned flags);
  /// Adds another handle of an existing event; both share its records.
  std::uint64_t add_handle_of(cudaEvent_t known);
  Event* find(cudaEvent_t handle);
  bool remove(cudaEvent_t handle);
  int count() const { return static_cast<int>(events_.size()); }
  void reset() { events_.clear(); }

 private:
  std::map<std::uint64_t, std::shared_ptr<Event>> events_;
  std::uint64_t numbers_ = 0;
};

/// Records the event in a line that does not capture.
void mark(Event& event, const LinePtr& line);
/// An operation that waits for the latest record of the event.
Operation wait_for(const Event& event);
cudaEvent_t handle_of(const Event& event);
/// Formats as `e1`.
std::string shown(cudaEvent_t event);

}  // namespace assay::cuda::on_cpu
