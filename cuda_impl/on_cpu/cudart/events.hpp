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
  Point at;                                      ///< its newest version
  std::shared_ptr<std::int64_t> time = nullptr;  ///< when that was reached
  std::shared_ptr<Graph> capture = nullptr;      ///< recorded while this graph was captured
  std::map<const Line*, std::uint64_t> captured =
      {};  ///< and after so many operations of each line
};

/// Those of the process, by handle. With the machine's lock held.
class Events {
 public:
  static Events& get();

  Event& add(int device, unsigned flags);
  /// Another handle of an event that there is: what is recorded by one is seen by the other.
  std::uint64_t add_handle_of(cudaEvent_t known);
  Event* find(cudaEvent_t handle);
  bool remove(cudaEvent_t handle);
  int count() const { return static_cast<int>(events_.size()); }
  void reset() { events_.clear(); }

 private:
  std::map<std::uint64_t, std::shared_ptr<Event>> events_;
  std::uint64_t numbers_ = 0;
};

cudaEvent_t handle_of(const Event& event);
/// `e1`
std::string shown(cudaEvent_t event);

}  // namespace assay::cuda::on_cpu
