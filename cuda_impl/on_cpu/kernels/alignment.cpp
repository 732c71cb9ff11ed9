// Ends a kernel that accesses a misaligned address, as a GPU does. The compiler checks each access
// of a kernel (-fsanitize=alignment) and calls this function, which takes the place of the
// undefined behaviour sanitizer's own.
#include <array>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

#include "cuda_impl/on_cpu/scheduler/block.hpp"
#include "cuda_impl/on_cpu/scheduler/threads.hpp"

namespace assay::cuda::on_cpu {
namespace {

/// What the compiler says about a place, in the sanitizer's format.
struct CheckedPlace {
  const char* file;
  std::uint32_t line;
  std::uint32_t column;
  const void* type;
  std::uint8_t alignment_bits;
  std::uint8_t kind_of_access;
};

std::string hex(std::uintptr_t number) {
  std::array<char, 16> digits;
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), number, 16);
  return "0x" + std::string(digits.data(), end);
}

void misaligned_access(const CheckedPlace& place, std::uintptr_t address) {
  std::string what = "misaligned access: " + std::to_string(1 << place.alignment_bits) +
                     " bytes at " + hex(address) + ", " + place.file + ":" +
                     std::to_string(place.line);
  if (Block::running() != nullptr) end_faulty_thread(std::move(what));
  std::fprintf(stderr, "%s\n", what.c_str());
  std::abort();
}

}  // namespace
}  // namespace assay::cuda::on_cpu

extern "C" {

// NOLINTBEGIN(bugprone-reserved-identifier): the compiler chose these names
void __ubsan_handle_type_mismatch_v1(void* place, std::uintptr_t address) {
  using namespace assay::cuda::on_cpu;
  misaligned_access(*static_cast<const CheckedPlace*>(place), address);
}

void __ubsan_handle_type_mismatch_v1_abort(void* place, std::uintptr_t address) {
  __ubsan_handle_type_mismatch_v1(place, address);
}
// NOLINTEND(bugprone-reserved-identifier)

}  // extern "C"
