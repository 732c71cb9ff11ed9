// Describes addresses in messages; reports leaks when the process ends, and explains segmentation
// faults in or near device memory.
#include "cuda_impl/on_cpu/cudart/memory/reports.hpp"

#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "cuda_impl/on_cpu/cudart/controls.h"
#include "cuda_impl/on_cpu/cudart/memory/memory.hpp"

namespace assay::cuda::on_cpu {
namespace {

/// Formats `32 bytes on device 0`.
struct Words {
  char text[80];
};
Words words_for(const Piece& piece) {
  Words words;
  const auto bytes = static_cast<unsigned long long>(piece.size_bytes);
  if (piece.is_host) {
    std::snprintf(words.text, sizeof words.text, "%llu bytes of the host", bytes);
  } else {
    std::snprintf(words.text, sizeof words.text, "%llu bytes%s on device %d", bytes,
                  piece.is_ours ? "" : " of a variable", piece.device);
  }
  return words;
}

}  // namespace

void Memory::describe(const void* address, char* text, std::size_t text_bytes) const {
  const auto place = reinterpret_cast<std::uintptr_t>(address);
  auto found = pieces_.upper_bound(place);
  constexpr std::uintptr_t kNear = 1 << 20;
  for (const auto& [begin, piece] : freed_) {
    const bool is_there = place >= begin && place - begin < piece.size_bytes;
    if (!is_there || find(address) != nullptr) continue;
    std::snprintf(text, text_bytes, "byte %llu of %s that were freed",
                  static_cast<unsigned long long>(place - begin), words_for(piece).text);
    return;
  }
  if (found != pieces_.begin()) {
    --found;
    const auto& [begin, piece] = *found;
    const auto past = static_cast<unsigned long long>(place - begin);
    if (past < piece.size_bytes || (past == 0 && piece.size_bytes == 0)) {
      std::snprintf(text, text_bytes, "byte %llu of %s%s", past, words_for(piece).text,
                    piece.is_alive ? "" : " that were freed");
      return;
    }
    if (past < piece.size_bytes + kNear) {
      std::snprintf(text, text_bytes, "%llu bytes behind the end of %s",
                    past - static_cast<unsigned long long>(piece.size_bytes),
                    words_for(piece).text);
      return;
    }
  }
  std::snprintf(text, text_bytes, "an address that is no device's and not pinned");
}

std::string Memory::description(const void* address) const {
  char text[160];
  describe(address, text, sizeof text);
  return text;
}

std::string Memory::alive() const {
  std::string lines;
  for (const auto& [address, piece] : pieces_) {
    if (piece.is_ours && piece.is_alive && !piece.is_lost)
      lines += words_for(piece).text + std::string("\n");
  }
  return lines;
}

// Leaks.

namespace {

std::string_view wish() {
  const char* const text = std::getenv("ASSAY_ON_CPU_LEAKS");
  return text == nullptr ? "" : text;
}

void look_around() {
  const char* const alive = assay_cudart_alive();
  if (*alive == '\0') return;
  std::fprintf(stderr, "Simulated CUDA: still alive at the end:\n%s", alive);
  if (wish() == "fail") std::_Exit(66);
}

}  // namespace

void watch_for_leaks() {
  // Registered first, therefore called last, after other exit handlers have freed their objects.
  if (wish() == "say" || wish() == "fail") std::atexit(look_around);
}

}  // namespace assay::cuda::on_cpu

extern "C" {
[[gnu::weak]] void __asan_init();
[[gnu::weak]] void __tsan_init();
}

namespace assay::cuda::on_cpu {

// Segmentation faults.

namespace {

/// Must not allocate or take a lock, since the process is crashing.
void explain(int, siginfo_t* info, void*) {
  char where[160];
  Memory::get().describe(info->si_addr, where, sizeof where);
  char text[256];
  const int length = std::snprintf(text, sizeof text,
                                   "Simulated CUDA: %s: touched by the host outside a copy, or by "
                                   "a kernel that has no right to it\n",
                                   where);
  if (length > 0 && write(STDERR_FILENO, text, static_cast<std::size_t>(length)) < 0) return;
}

}  // namespace

void watch_for_trespass() {
  if (__asan_init != nullptr || __tsan_init != nullptr) return;
  struct sigaction action = {};
  action.sa_sigaction = explain;
  action.sa_flags = static_cast<int>(SA_SIGINFO | SA_RESETHAND);  // a second fault ends the process
  sigaction(SIGSEGV, &action, nullptr);
}

}  // namespace assay::cuda::on_cpu
