// What of this machine makes times noisy or slow, as the system tells it.
#pragma once

#include <optional>
#include <string>

namespace assay::measure {

struct Machine {
  std::string cpu;                      ///< model; `unknown`
  unsigned cores = 0;                   ///< that this process may use
  std::string kernel;                   ///< its version, without what who built it has added
  std::string virtualization;           ///< `none`, `kvm`, …; `unknown`
  std::optional<std::string> governor;  ///< of the first core's clock
  std::optional<bool> turbo;            ///< the clock may rise beyond its nominal rate
  std::optional<bool> smt;              ///< two threads share a core
  std::optional<bool> aslr;             ///< addresses differ from process to process
};

Machine this_machine();

/// Runnable threads, on average over the last minute; nothing where the system tells none.
std::optional<double> load_average();

/// `AMD EPYC, 2 cores, virtual (kvm)`: no name of the host.
std::string described(const Machine& machine);

}  // namespace assay::measure
