// An operator for a single loop, and tensors as its arguments.
#pragma once

#include <ATen/EmptyTensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/library.h>

#include <string>

namespace assay::libtorch {

/// `assay_bench::call`, which takes tensors by reference and returns nothing. Kernels are added
/// like PyTorch's own: `op.add(key, TORCH_FN(kernel))`.
class BenchOperator {
 public:
  /// `parameters` in schema syntax.
  explicit BenchOperator(const std::string& parameters)
      : library_(torch::Library::FRAGMENT, "assay_bench", {}, __FILE__, __LINE__) {
    library_.def(("call(" + parameters + ") -> ()").c_str());
  }

  c10::OperatorHandle handle() const {
    return c10::Dispatcher::singleton().findSchemaOrThrow("assay_bench::call", "");
  }

  template <typename Kernel>
  void add(c10::DispatchKey key, Kernel&& kernel) {
    library_.impl("call", torch::dispatch(key, std::forward<Kernel>(kernel)));
  }
  void add_fallthrough(c10::DispatchKey key) { add(key, torch::CppFunction::makeFallthrough()); }

 private:
  torch::Library library_;
};

/// On the CPU. Calls no operator.
inline at::Tensor bench_tensor(float value, at::IntArrayRef sizes = {1}) {
  at::Tensor tensor = at::detail::empty_cpu(sizes, at::kFloat);
  *tensor.data_ptr<float>() = value;
  return tensor;
}

}  // namespace assay::libtorch
