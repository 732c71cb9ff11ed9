// Asks the linker which runtime there is.
#include "cuda_impl/subject/simulated.hpp"

#include <cstdint>

/// Only the simulated runtime has it.
extern "C" [[gnu::weak]] void assay_cudart_machine(int devices, int least, int greatest,
                                                   std::int64_t memory_bytes);

namespace assay::cuda {

bool is_simulated() { return assay_cudart_machine != nullptr; }

}  // namespace assay::cuda
