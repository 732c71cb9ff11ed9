// Properties of this machine that make times noisy or slow, as reported by the system.
#pragma once

#include <optional>
#include <string>

namespace assay::measure {

struct Machine {
  std::string cpu;                      ///< model; `unknown`
  unsigned cores = 0;                   ///< available to this process
  std::string kernel;                   ///< its version, without the builder's suffix
  std::string virtualization;           ///< `none`, `kvm`, …; `unknown`
  std::optional<std::string> governor;  ///< for the first core
  std::optional<bool> turbo;            ///< the clock may exceed its nominal rate
  std::optional<bool> smt;              ///< two threads share a core
  std::optional<bool> aslr;             ///< address randomization is on
};

Machine this_machine();

/// The load average of the last minute; nothing if the system does not report it.
std::optional<double> load_average();

/// `AMD EPYC, 2 cores, virtual (kvm)`; contains no host name.
std::string described(const Machine& machine);

}  // namespace assay::measure
