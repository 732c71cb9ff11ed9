// Version counters, and inference tensors.
#include "reference/core/tensor/written.hpp"

#include "reference/core/types/error.hpp"
#include "reference/core/types/grad_mode.hpp"

namespace assay::reference {

void note_write(const Runtime& runtime, const Tensor& tensor) {
  tensor.bump_version();
  check_written(runtime, tensor);
}

void check_written(const Runtime& runtime, const Tensor& tensor) {
  const bool may = !tensor.is_inference() || is_inference_mode(runtime);
  check(may, [] {
    return "in-place update to an inference tensor outside of inference mode is not allowed; make "
           "a clone to get a normal tensor";
  });
}

}  // namespace assay::reference
