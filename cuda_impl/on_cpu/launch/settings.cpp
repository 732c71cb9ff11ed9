// Validates the environment of a simulated program.
#include "cuda_impl/on_cpu/launch/settings.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>

#include "cuda_impl/on_cpu/cudart/schedule.hpp"
#include "cuda_impl/on_cpu/cudart/shape.hpp"
#include "cuda_impl/on_cpu/scheduler/options.hpp"

namespace assay::cuda::on_cpu {
namespace {

constexpr std::string_view kPrefix = "ASSAY_ON_CPU_";
constexpr std::array<std::string_view, 9> kNames = {"DEVICES",         "GUARD",    "LEAKS",
                                                    "MULTIPROCESSORS", "ORDER",    "SEED",
                                                    "STREAM_THREADS",  "STRATEGY", "WORKERS"};

[[noreturn]] void refuse(const std::string& sentence) {
  std::fprintf(stderr, "%s\n", sentence.c_str());
  std::_Exit(2);
}

void check_name(std::string_view name) {
  if (std::find(kNames.begin(), kNames.end(), name) != kNames.end()) return;
  std::string known;
  for (const std::string_view each : kNames) known += " " + std::string(each);
  refuse(std::string(kPrefix) + std::string(name) + " is not a setting; the settings are" + known);
}

void check_one_of(const char* name, std::string_view first, std::string_view second) {
  const char* const value = std::getenv(name);
  if (value == nullptr || first == value || second == value) return;
  refuse(std::string(name) + " is '" + value + "'; expected " + std::string(first) + " or " +
         std::string(second));
}

}  // namespace

void check_settings() {
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    if (!text.starts_with(kPrefix)) continue;
    check_name(text.substr(kPrefix.size(), text.find('=') - kPrefix.size()));
  }
  check_one_of("ASSAY_ON_CPU_GUARD", "0", "1");
  check_one_of("ASSAY_ON_CPU_LEAKS", "say", "fail");
  check_one_of("ASSAY_ON_CPU_STREAM_THREADS", "0", "1");
  static_cast<void>(shape());
  [[maybe_unused]] const Schedule has_a_strategy_and_a_seed;
  try {
    [[maybe_unused]] const Options are_right = options_from_environment();
  } catch (const std::invalid_argument& refused) {
    refuse(refused.what());
  }
}

}  // namespace assay::cuda::on_cpu
