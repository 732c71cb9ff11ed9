// Variables in the shared memory of a block.
#pragma once

namespace assay::cuda {

/// The variable of type T that the threads of a block share. There is one for each type, whoever
/// asks for it; its value is undefined when a block begins.
template <typename T>
__device__ T& shared_variable() {
#ifdef __CUDACC__
  __shared__ T variable;
  return variable;
#else  // a host compiler knows no such variables; what gives it CUDA's language has them
  return __shared_variable<T>();
#endif
}

}  // namespace assay::cuda
