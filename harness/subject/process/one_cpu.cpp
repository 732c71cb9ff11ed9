// The scheduler's affinity of the calling thread.
#include "harness/subject/process/one_cpu.hpp"

#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace assay {
namespace {

/// The CPUs that the calling thread may use.
std::vector<int> allowed_cpus() {
  cpu_set_t cpus;
  std::vector<int> numbers;
  if (sched_getaffinity(0, sizeof cpus, &cpus) != 0) return numbers;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(static_cast<std::size_t>(cpu), &cpus)) numbers.push_back(cpu);
  }
  return numbers;
}

}  // namespace

OwnedFd reserve_name(const std::string& name) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  name.copy(address.sun_path + 1, sizeof address.sun_path - 1);
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 +
                                             std::min(name.size(), sizeof address.sun_path - 1));
  OwnedFd socket(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), length) != 0) {
    socket.close();
  }
  return socket;
}

OnOneCpu::OnOneCpu(std::optional<int> turn) {
  const std::vector<int> cpus = allowed_cpus();
  cpu_set_t before;
  if (!turn || cpus.size() < 2 || sched_getaffinity(0, sizeof before, &before) != 0) return;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(static_cast<std::size_t>(cpus[static_cast<std::size_t>(*turn) % cpus.size()]), &one);
  if (sched_setaffinity(0, sizeof one, &one) == 0) before_ = before;
}

OnOneCpu::~OnOneCpu() {
  if (before_) sched_setaffinity(0, sizeof *before_, &*before_);
}

OnReservedCpu::OnReservedCpu() {
  int turn = 0;
  for (const int cpu : allowed_cpus()) {
    reservation_ = reserve_name("assay-cpu-" + std::to_string(cpu));
    if (reservation_.is_open()) break;
    ++turn;
  }
  if (reservation_.is_open()) on_.emplace(turn);
}

}  // namespace assay
