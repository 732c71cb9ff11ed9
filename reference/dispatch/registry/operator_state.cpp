// Names for the parts of an operator's state.
#include "reference/dispatch/registry/operator_state.hpp"

namespace assay::reference {

std::string_view name_of(Provenance provenance) {
  switch (provenance) {
    case Provenance::kKernel:
      return "kernel";
    case Provenance::kDefaultBackend:
      return "default backend kernel";
    case Provenance::kNested:
      return "nested kernel";
    case Provenance::kAmbiguousAutogradOther:
      return "ambiguous autogradother";
    case Provenance::kMath:
      return "math kernel";
    case Provenance::kAutograd:
      return "autograd kernel";
    case Provenance::kBatched:
      return "batched kernel";
    case Provenance::kFallback:
      return "backend fallback";
    case Provenance::kMissing:
      break;
  }
  return "missing";
}

}  // namespace assay::reference
