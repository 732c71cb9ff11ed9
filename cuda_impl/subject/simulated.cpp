// Determines which CUDA runtime is linked.
#include "cuda_impl/subject/simulated.hpp"

namespace assay::cuda {

bool is_simulated() { return assay_cudart_machine != nullptr; }

}  // namespace assay::cuda
