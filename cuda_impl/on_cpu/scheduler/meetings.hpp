// Where the lanes of a warp meet to exchange values.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "cuda_impl/on_cpu/scheduler/fibers/sanitizers.hpp"

namespace assay::cuda::on_cpu {

/// One operation of a warp, from the first lane that comes until the last has read what it came
/// for.
struct Meeting {
  std::uint32_t mask;     ///< as named, without lanes that do not exist
  std::uint32_t arrived;  ///< who has deposited
  std::uint32_t reading;  ///< whom it still owes the result
  bool orders_memory;
  bool is_complete;
  std::array<std::uint64_t, 32> deposits;
  SyncPoint point;
  Meeting* next;
};

struct LaneCall {
  std::uint32_t thread;
  std::uint32_t mask;
  std::uint64_t deposit;
  bool orders_memory;
};

/// The meetings of a block's warps. Several of one warp can be open at a time, of lanes that have
/// nothing to do with each other.
class Meetings {
 public:
  void begin(std::uint32_t threads);
  /// What is wrong with the call, or null.
  const char* objection(const LaneCall& call) const;
  /// The lane deposits; the meeting is complete if it was the last awaited.
  Meeting& join(const LaneCall& call);
  /// The lane has come back for its result. The deposits stay until the next join.
  void leave(Meeting& meeting, std::uint32_t thread);
  /// The thread takes no part any more. Returns the lanes that were waiting for nobody else.
  std::uint32_t exit(std::uint32_t thread);

 private:
  struct Warp {
    std::uint32_t exists;
    std::uint32_t exited;
    Meeting* open;
  };

  Meeting& find_or_open(Warp& warp, const LaneCall& call, std::uint32_t mask);
  void complete_if_all_came(Warp& warp, Meeting& meeting);

  std::vector<Warp> warps_;
  std::vector<Meeting>
      meetings_;  ///< as many as threads: each open one has a lane that is in no other
  std::uint32_t used_ = 0;
  Meeting* free_ = nullptr;
};

}  // namespace assay::cuda::on_cpu
