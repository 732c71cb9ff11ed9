// Runs snippets on a GPU, using only its driver.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace assay::cuda::on_cpu::ptx::snippets {

/// One thread's three words of operands and two words of results.
using Operands = std::array<std::uint64_t, 3>;
using Results = std::array<std::uint64_t, 2>;

/// A PTX module on the first device, compiled by the driver. Throws std::runtime_error if a
/// driver call fails or there is no driver.
class Gpu {
 public:
  explicit Gpu(const std::string& ptx);
  /// Runs one thread for each set of operands, in blocks of this size.
  std::vector<Results> run(const std::string& kernel, std::span<const Operands> operands,
                           std::uint32_t block);

 private:
  void* library_;
  void* module_ = nullptr;
};

}  // namespace assay::cuda::on_cpu::ptx::snippets
