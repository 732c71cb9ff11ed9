// The default configuration, changed by the environment.
#include "cuda_impl/on_cpu/cudart/shape.hpp"

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace assay::cuda::on_cpu {
namespace {

int read_number(const char* name, int usual, int most) {
  const char* const text = std::getenv(name);
  if (text == nullptr) return usual;
  const std::string_view word = text;
  int number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  const bool is_number = error == std::errc{} && end == word.data() + word.size();
  if (is_number && number >= 1 && number <= most) return number;
  std::fprintf(stderr, "%s is '%s'; expected a number from 1 to %d\n", name, text, most);
  std::_Exit(2);
}

Shape usual_shape() {
  Shape usual;
  usual.devices = read_number("ASSAY_ON_CPU_DEVICES", usual.devices, 64);
  usual.multiprocessors = read_number("ASSAY_ON_CPU_MULTIPROCESSORS", usual.multiprocessors, 1024);
  return usual;
}

}  // namespace

Shape& shape() {
  static Shape made = usual_shape();
  return made;
}

void forget_machine() {
  Shape usual = usual_shape();
  usual.multiprocessors = shape().multiprocessors;
  usual.most_parameter_bytes = shape().most_parameter_bytes;
  shape() = usual;
}

}  // namespace assay::cuda::on_cpu
