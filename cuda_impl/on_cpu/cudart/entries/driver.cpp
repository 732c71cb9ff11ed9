// The few driver functions that programs request from the runtime.
#include <cuda.h>
#include <cuda_runtime_api.h>

#include <cstring>

#include "cuda_impl/on_cpu/cudart/calls.hpp"
#include "cuda_impl/on_cpu/cudart/shape.hpp"

using namespace assay::cuda::on_cpu;

namespace {

/// The result of unimplemented functions.
CUresult not_supported() { return CUDA_ERROR_NOT_SUPPORTED; }

}  // namespace

extern "C" {

/// A device has a context once an object has been created on it (GRD-009).
CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned* flags, int* is_active) {
  auto lock = Machine::get().lock();
  *flags = 0;
  *is_active = contexts().contains(device) ? 1 : 0;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  *device = ordinal;
  return CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext* context) {
  *context = nullptr;
  return CUDA_SUCCESS;
}

// Programs that link with the driver need
// these symbols; calls return "not supported".
CUresult cuCtxSetCurrent(CUcontext) { return not_supported(); }
CUresult cuDeviceGetAttribute(int*, CUdevice_attribute, CUdevice) { return not_supported(); }
CUresult cuDevicePrimaryCtxRetain(CUcontext*, CUdevice) { return not_supported(); }
CUresult cuFuncGetAttribute(int*, CUfunction_attribute, CUfunction) { return not_supported(); }
CUresult cuFuncSetAttribute(CUfunction, CUfunction_attribute, int) { return not_supported(); }
CUresult cuFuncSetCacheConfig(CUfunction, CUfunc_cache) { return not_supported(); }
CUresult cuGetErrorString(CUresult, const char** text) {
  *text = "not supported on a simulated device";
  return CUDA_SUCCESS;
}
CUresult cuLaunchKernel(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                        unsigned, CUstream, void**, void**) {
  return not_supported();
}
CUresult cuLaunchCooperativeKernel(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned,
                                   unsigned, unsigned, CUstream, void**) {
  return not_supported();
}
CUresult cuLinkAddData(CUlinkState, CUjitInputType, void*, std::size_t, const char*, unsigned,
                       CUjit_option*, void**) {
  return not_supported();
}
CUresult cuLinkComplete(CUlinkState, void**, std::size_t*) { return not_supported(); }
CUresult cuLinkCreate(unsigned, CUjit_option*, void**, CUlinkState*) { return not_supported(); }
CUresult cuModuleGetFunction(CUfunction*, CUmodule, const char*) { return not_supported(); }
CUresult cuModuleLoad(CUmodule*, const char*) { return not_supported(); }
CUresult cuModuleLoadData(CUmodule*, const void*) { return not_supported(); }
CUresult cuModuleLoadDataEx(CUmodule*, const void*, unsigned, CUjit_option*, void**) {
  return not_supported();
}
CUresult cuModuleUnload(CUmodule) { return not_supported(); }
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int*, CUfunction, int, std::size_t) {
  return not_supported();
}
CUresult cuPointerGetAttribute(void*, CUpointer_attribute, CUdeviceptr) { return not_supported(); }
CUresult cuTensorMapEncodeTiled(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*,
                                const cuuint64_t*, const cuuint64_t*, const cuuint32_t*,
                                const cuuint32_t*, CUtensorMapInterleave, CUtensorMapSwizzle,
                                CUtensorMapL2promotion, CUtensorMapFloatOOBfill) {
  return not_supported();
}

cudaError_t cudaGetDriverEntryPointByVersion(const char* symbol, void** function, unsigned,
                                             unsigned long long,
                                             cudaDriverEntryPointQueryResult* found) {
  const bool is_state = std::strcmp(symbol, "cuDevicePrimaryCtxGetState") == 0;
  *function = is_state ? reinterpret_cast<void*>(&cuDevicePrimaryCtxGetState)
                       : reinterpret_cast<void*>(&not_supported);
  if (found != nullptr) *found = cudaDriverEntryPointSuccess;
  return cudaSuccess;
}

}  // extern "C"
