// Runs kernels as work of the simulated runtime; classifies faults by the text of their reason, and
// validates the environment of a simulated program.
#include "cuda_impl/on_cpu/launch/launch.hpp"

#include <cxxabi.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "cuda_impl/on_cpu/cudart/memory/memory.hpp"
#include "cuda_impl/on_cpu/cudart/memory/reports.hpp"
#include "cuda_impl/on_cpu/cudart/schedule.hpp"
#include "cuda_impl/on_cpu/cudart/shape.hpp"
#include "cuda_impl/on_cpu/cudart/timeline.hpp"
#include "cuda_impl/on_cpu/scheduler/fibers/sanitizers.hpp"
#include "cuda_impl/on_cpu/scheduler/grid.hpp"
#include "cuda_impl/on_cpu/scheduler/options.hpp"

namespace assay::cuda::on_cpu {

int fault_code(const std::string& reason) {
  return reason.find("misaligned") != std::string::npos ? 716 : 719;
}

std::string readable(const char* mangled) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(mangled, nullptr, nullptr, &status), &std::free);
  std::string name = status == 0 ? text.get() : mangled;
  constexpr std::string_view kTag = "[abi:";
  for (auto at = name.find(kTag); at != std::string::npos; at = name.find(kTag)) {
    name.erase(at, name.find(']', at) - at + 1);
  }
  return name;
}

// The environment.

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

// Launches.

namespace {

/// A copy of a launch's arguments, because the caller may change them after the call.
class Arguments {
 public:
  Arguments(std::span<const std::uint32_t> parameter_bytes, void* const* given) {
    std::size_t blocks = 0;
    for (const std::uint32_t bytes : parameter_bytes) blocks += blocks_for(bytes);
    bytes_.resize(blocks);
    std::size_t next = 0;
    for (std::size_t i = 0; i < parameter_bytes.size(); ++i) {
      std::memcpy(&bytes_[next], given[i], parameter_bytes[i]);
      addresses_.push_back(&bytes_[next]);
      next += blocks_for(parameter_bytes[i]);
    }
  }
  Arguments(const Arguments&) = delete;
  Arguments& operator=(const Arguments&) = delete;

  void* const* addresses() const { return addresses_.data(); }

 private:
  struct alignas(16) Block {
    std::byte bytes[16];
  };
  static std::size_t blocks_for(std::size_t bytes) {
    return (bytes + sizeof(Block) - 1) / sizeof(Block);
  }

  std::vector<Block> bytes_;
  std::vector<void*> addresses_;
};

Dim3 converted(const dim3& size) { return {size.x, size.y, size.z}; }

void run(const KernelCode& kernel, const LaunchShape& shape, const Arguments& arguments) {
  GridRun grid;
  grid.grid = converted(shape.grid);
  grid.block = converted(shape.block);
  grid.dynamic_shared_bytes = shape.shared_bytes;
  try {
    run_grid(grid, [&] { kernel.call(arguments.addresses()); });
  } catch (const KernelFault& fault) {
    throw DeviceFault{fault_code(fault.reason()),
                      "kernel " + readable(kernel.name.c_str()) + ": " + fault.what()};
  }
}

}  // namespace

KernelRun run_of(KernelCode code) {
  const auto kernel = std::make_shared<const KernelCode>(std::move(code));
  return [kernel](const LaunchShape& shape, void** given) -> std::function<void()> {
    return
        [kernel, shape, arguments = std::make_shared<Arguments>(kernel->parameter_bytes, given)] {
          on_cpu::run(*kernel, shape, *arguments);
        };
  };
}

std::size_t parameter_bytes(const KernelCode& code) {
  std::size_t sum = 0;
  for (const std::uint32_t bytes : code.parameter_bytes) sum += bytes;
  return sum;
}

bool begin_program(FindVariable find) {
  check_settings();
  set_program(find);
  const char* const guard = std::getenv("ASSAY_ON_CPU_GUARD");
  const bool is_on = guard != nullptr && std::strcmp(guard, "1") == 0;
  // Guarding costs two system calls for each operation, too many to be the default. A sanitizer
  // checks each allocation more precisely.
  Memory::get().guard(is_on && !has_address_sanitizer() && !has_thread_sanitizer());
  watch_for_trespass();
  watch_for_leaks();
  return true;
}

}  // namespace assay::cuda::on_cpu
