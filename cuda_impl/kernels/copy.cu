// Copies without conversion, and fills: words of 1 to 16 bytes.
#include <cstring>

#include "cuda_impl/kernels/cast.cuh"
#include "cuda_impl/kernels/map.cuh"

namespace assay::cuda {
template <typename Word>
struct CopyWord {
  using In = Word;
  using Out = Word;
  bool fills = false;
  Word value{};

  __device__ Word operator()(Word word, Word) const { return fills ? value : word; }
};

namespace {

/// Calls `body` with a word of so many bytes.
template <typename Body>
void visit_word(std::size_t bytes, const Body& body) {
  switch (bytes) {
    case 1:
      return body(static_cast<unsigned char>(0));
    case 2:
      return body(static_cast<unsigned short>(0));
    case 4:
      return body(0u);
    case 8:
      return body(0ull);
    default:
      return body(ulonglong2{});
  }
}

}  // namespace

void launch_copy(const CastTask& task) {
  visit_word(size_bytes(task.to), [&](auto word) {
    launch_map(task.addresses, task.geometry, CopyWord<decltype(word)>{});
  });
}

void launch_fill(const FillTask& task) {
  visit_word(task.element_bytes, [&](auto word) {
    std::memcpy(&word, task.element, sizeof word);
    launch_map({.out = task.out}, task.geometry, CopyWord<decltype(word)>{true, word});
  });
}

}  // namespace assay::cuda
