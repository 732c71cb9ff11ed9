// Threads and child processes that share a CPU.
#pragma once

#include <sched.h>

#include <optional>
#include <string>

#include "harness/subject/process/owned_fd.hpp"

namespace assay {

/// Holds a name that no other process on this machine can hold at the same time: an abstract socket
/// address, which is free again when the process ends, however it ends. The descriptor is not open
/// if another process holds the name. Names of more than a hundred bytes are cut.
OwnedFd reserve_name(const std::string& name);

/// While this lives, the calling thread and the children that it starts run on one of the CPUs that
/// it may use: on number `turn` modulo their count. Nothing is changed without a `turn`, on a
/// machine with one CPU, or if the system refuses.
class OnOneCpu {
 public:
  explicit OnOneCpu(std::optional<int> turn);
  ~OnOneCpu();
  OnOneCpu(const OnOneCpu&) = delete;
  OnOneCpu& operator=(const OnOneCpu&) = delete;

 private:
  std::optional<cpu_set_t> before_;
};

/// The same on a CPU that no other process on this machine has reserved in this way; without
/// effect if there is none. Two processes that wait for each other need less than half of the time
/// on one CPU, because an idle one has to be woken for each message.
class OnReservedCpu {
 public:
  OnReservedCpu();

 private:
  OwnedFd reservation_;
  std::optional<OnOneCpu> on_;
};

}  // namespace assay
