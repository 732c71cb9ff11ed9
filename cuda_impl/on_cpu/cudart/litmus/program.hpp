// Litmus programs as `sim.permitted` takes them (harness/protocol/areas/sim.md), with names
// replaced by indices.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "cuda_impl/on_cpu/cudart/machine.hpp"

namespace assay::cuda::on_cpu::litmus {

class BadProgram : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

inline constexpr int kNone = -1;

enum class Kind {
  kDeviceWork,  ///< a kernel, a gate or a copy
  kRecord,
  kStreamWait,
  kOpen,
  kQueryEvent,
  kQueryStream,
  kSyncEvent,
  kSyncStream,
  kSyncDevice,
  kSignal,
  kAwait,
  kHostWrite,
  kHostRead,
};

/// One call of a host thread. Members that the kind does not use are kNone.
struct Step {
  Kind kind = Kind::kDeviceWork;
  int stream = kNone;
  int event = kNone;
  int gate = kNone;
  int signal = kNone;
  int device = kNone;
  int source = kNone;  ///< the word that is read; without one, `value` is written
  int target = kNone;  ///< the word that is written
  std::int64_t value = 0;
  bool reads_at_call = false;  ///< a copy from pageable memory, which is staged
  bool host_waits = false;     ///< the call returns when the work is complete
  std::size_t number = 0;      ///< among all steps
  bool is_observed = false;
  std::size_t observation = 0;  ///< the index of what is observed
};

struct StreamOfProgram {
  int device = 0;
  LineKind kind = LineKind::kNonBlocking;
};

struct Program {
  std::vector<std::vector<Step>> threads;
  std::vector<StreamOfProgram> streams;
  std::vector<std::int64_t> words;  ///< initial values of locations and host buffers
  std::size_t events = 0;
  std::size_t gates = 0;
  std::size_t signals = 0;
  std::size_t observations = 0;
};

/// Throws BadProgram.
Program read_program(const std::string& text);

}  // namespace assay::cuda::on_cpu::litmus
