// Runs a program with a planted error or its corrected form: `assay_planted NAME made|mended`.
// Without arguments, lists the names.
#include <cuda_runtime_api.h>

#include <cstdio>
#include <string_view>

#include "cuda_impl/on_cpu/detectors/mistakes.hpp"

namespace assay::cuda::on_cpu::detectors {
namespace {

constexpr auto kAll = {memory_mistakes, block_mistakes, stream_mistakes, call_mistakes};

void show_names() {
  for (const auto& mistakes : kAll) {
    for (const Mistake& mistake : mistakes()) std::printf("%s\n", mistake.name);
  }
}

const Mistake* named(std::string_view name) {
  for (const auto& mistakes : kAll) {
    for (const Mistake& mistake : mistakes()) {
      if (mistake.name == name) return &mistake;
    }
  }
  return nullptr;
}

int run(const Mistake& mistake, bool is_made) {
  const Result result = mistake.run(is_made);
  if (const cudaError_t code = cudaDeviceSynchronize(); code != cudaSuccess) {
    std::printf("lost: %d\n", code);
    return 3;
  }
  std::printf("result:");
  for (const unsigned value : result) std::printf(" %x", value);
  std::printf("\ndone\n");
  return 0;
}

}  // namespace
}  // namespace assay::cuda::on_cpu::detectors

int main(int argc, char** argv) {
  using namespace assay::cuda::on_cpu::detectors;
  if (argc == 1) {
    show_names();
    return 0;
  }
  const Mistake* const mistake = named(argv[1]);
  const std::string_view how = argc == 3 ? argv[2] : "";
  if (mistake == nullptr || (how != "made" && how != "mended")) {
    std::fprintf(stderr, "usage: assay_planted [NAME made|mended]\n");
    return 2;
  }
  return run(*mistake, how == "made");
}
