// Runs snippets where the machine has a GPU, through its driver alone.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace assay::cuda::on_cpu::ptx::snippets {

/// Three words of operands, and two of results: of one thread.
using Operands = std::array<std::uint64_t, 3>;
using Results = std::array<std::uint64_t, 2>;

/// A module of PTX on the first device, compiled by its driver. Raises std::runtime_error where a
/// call of the driver fails, or there is no driver.
class Gpu {
 public:
  explicit Gpu(const std::string& ptx);
  /// A thread for each of the operands, in blocks of so many.
  std::vector<Results> run(const std::string& kernel, std::span<const Operands> operands,
                           std::uint32_t block);

 private:
  void* library_;
  void* module_ = nullptr;
};

}  // namespace assay::cuda::on_cpu::ptx::snippets
