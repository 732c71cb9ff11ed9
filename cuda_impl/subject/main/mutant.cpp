// The CUDA implementation with one of its kernels' faults switched on: what every suite must catch.
#include <cstdio>

#include "cuda_impl/core/error.hpp"
#include "cuda_impl/core/planted.hpp"
#include "cuda_impl/subject/subject.hpp"
#include "harness/subject/serve.hpp"

int main(int count, char** arguments) {
  if (count != 2) {
    std::fputs("usage: assay-cuda-on-cpu-mutant <fault>\n", stderr);
    return 2;
  }
  try {
    assay::cuda::plant_fault(arguments[1]);
  } catch (const assay::cuda::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
  return assay::serve(*assay::cuda::make_subject());
}
