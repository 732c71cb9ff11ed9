// The CUDA implementation with one fault of its kernels enabled.
#include "cuda_impl/subject/subject.hpp"
#include "harness/cli/mutant/mutant.hpp"

int main(int argc, char** argv) {
  const auto make = [](const std::string&) { return assay::cuda::make_subject(); };
  return assay::mutant::run({"assay-cuda-on-cpu-mutant", "cuda_on_cpu", make}, argc, argv);
}
