// PyTorch's placeholder names for a missing backend.
#include "reference/dispatch/registry/placeholder.hpp"

#include "reference/dispatch/keys/key_layout.hpp"

namespace assay::reference {

std::string highest_name(const Contract& contract, DispatchKey highest) {
  const bool is_block = KeyLayout::of(contract.release).kind_of(highest) == KeyKind::kBlock;
  if (!is_block || contract.deviations == Deviations::kStrict) {
    return name_of(highest);
  }
  const std::string cpu = name_of({highest.functionality, Backend::kCPU});
  const std::string prefix = cpu.substr(0, cpu.size() - name_of(Backend::kCPU).size());
  return prefix + (contract.release == Release::k1_13 ? "Unknown" : "Undefined");
}

}  // namespace assay::reference
