// Reports leaks when the process ends.
#include "cuda_impl/on_cpu/cudart/memory/leaks.hpp"

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "cuda_impl/on_cpu/cudart/controls.h"

namespace assay::cuda::on_cpu {
namespace {

std::string_view wish() {
  const char* const text = std::getenv("ASSAY_ON_CPU_LEAKS");
  return text == nullptr ? "" : text;
}

void look_around() {
  const char* const alive = assay_cudart_alive();
  if (*alive == '\0') return;
  std::fprintf(stderr, "Simulated CUDA: still alive at the end:\n%s", alive);
  if (wish() == "fail") std::_Exit(66);
}

}  // namespace

void watch_for_leaks() {
  // Registered first, therefore called last, after other exit handlers have freed their objects.
  if (wish() == "say" || wish() == "fail") std::atexit(look_around);
}

}  // namespace assay::cuda::on_cpu
