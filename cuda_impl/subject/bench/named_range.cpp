// Named ranges with NVTX, which loads the profiler's library if there is one.
#include "cuda_impl/subject/bench/named_range.hpp"

#if __has_include(<nvtx3/nvToolsExt.h>)
#include <nvtx3/nvToolsExt.h>
#define ASSAY_HAS_NVTX 1
#else
#define ASSAY_HAS_NVTX 0
#endif

namespace assay::cuda {

NamedRange::NamedRange([[maybe_unused]] const std::string& name) {
#if ASSAY_HAS_NVTX
  nvtxRangePushA(name.c_str());
#endif
}

NamedRange::~NamedRange() {
#if ASSAY_HAS_NVTX
  nvtxRangePop();
#endif
}

}  // namespace assay::cuda
