// Helpers of the scheduler's tests, which run in every order.
#pragma once

#include <array>
#include <string>

#include "cuda_impl/on_cpu/scheduler/grid.hpp"
#include "cuda_impl/on_cpu/scheduler/threads.hpp"

namespace assay::cuda::on_cpu {

/// Changes the options for the scope.
class WithOptions {
 public:
  explicit WithOptions(const Options& changed) : before_(options()) { options() = changed; }
  ~WithOptions() { options() = before_; }
  WithOptions(const WithOptions&) = delete;
  WithOptions& operator=(const WithOptions&) = delete;

 private:
  Options before_;
};

/// Every order, without helpers and with them.
inline constexpr std::array kEveryOrder = {
    Options{.order = Order::forward, .workers = 1},
    Options{.order = Order::forward, .workers = 4},
    Options{.order = Order::reverse, .workers = 1},
    Options{.order = Order::reverse, .workers = 4},
    Options{.order = Order::shuffled, .seed = 1, .workers = 1},
    Options{.order = Order::shuffled, .seed = 2, .workers = 4},
};

/// For test names: "reverse_with_4".
inline const auto shown_order = [](const auto& info) {
  static const char* const names[] = {"forward", "reverse", "shuffled"};
  return std::string(names[static_cast<int>(info.param.order)]) + "_with_" +
         std::to_string(info.param.workers);
};

/// Returns the message of the fault, which the grid must have.
template <typename Body>
std::string fault_of(const GridRun& run, const Body& body) {
  try {
    run_grid(run, body);
  } catch (const KernelFault& fault) {
    return fault.what();
  }
  return "no fault";
}

}  // namespace assay::cuda::on_cpu
