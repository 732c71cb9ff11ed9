// The options of grids: order and number of host threads.
#include "cuda_impl/on_cpu/scheduler/options.hpp"

#include <charconv>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>

namespace assay::cuda::on_cpu {
namespace {

[[noreturn]] void refuse(const char* name, std::string_view text, const char* expected) {
  throw std::invalid_argument(std::string(name) + " is '" + std::string(text) + "'; expected " +
                              expected);
}

void read_order(const char* name, Order& order) {
  const char* text = std::getenv(name);
  if (text == nullptr) return;
  const std::string_view word = text;
  if (word == "forward") {
    order = Order::forward;
  } else if (word == "reverse") {
    order = Order::reverse;
  } else if (word == "shuffled") {
    order = Order::shuffled;
  } else {
    refuse(name, word, "forward, reverse or shuffled");
  }
}

template <typename Number>
void read_number(const char* name, Number& number, const char* expected) {
  const char* text = std::getenv(name);
  if (text == nullptr) return;
  const std::string_view word = text;
  Number value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || end != word.data() + word.size()) refuse(name, word, expected);
  number = value;
}

}  // namespace

Options options_from_environment() {
  Options options;
  read_order("ASSAY_ON_CPU_ORDER", options.order);
  read_number("ASSAY_ON_CPU_SEED", options.seed, "a number from 0 to 2^64 - 1");
  read_number("ASSAY_ON_CPU_WORKERS", options.workers, "a number from 0 to 2^32 - 1");
  return options;
}

Options& options() {
  static Options options = options_from_environment();
  return options;
}

}  // namespace assay::cuda::on_cpu
