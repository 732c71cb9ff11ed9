// The program: answers commands on its standard input with the CUDA devices of this machine.
#include <cstdio>
#include <string_view>

#include "cuda_impl/core/device/availability.hpp"
#include "cuda_impl/subject/subject.hpp"
#include "harness/subject/serve.hpp"

namespace {

int usage() {
  std::fprintf(stderr,
               "usage: assay-cuda [--devices]\n"
               "Answers commands, one JSON object a line. With --devices it says in one sentence\n"
               "whether there is a CUDA device to work on, and ends.\n");
  return 2;
}

}  // namespace

int main(int count, char** arguments) {
  if (count > 2) return usage();
  if (count == 2 && std::string_view(arguments[1]) != "--devices") return usage();
  if (count == 2) return assay::cuda::say_devices();

  const assay::cuda::Availability devices = assay::cuda::find_devices();
  if (devices.count == 0) {
    std::fprintf(stderr, "%s\n", devices.sentence.c_str());
    return 77;
  }
  return assay::serve(*assay::cuda::make_subject());
}
