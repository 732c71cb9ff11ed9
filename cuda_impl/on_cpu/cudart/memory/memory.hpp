// Device memory and pinned memory: plain memory of this process, of which every piece is known.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>

#include "cuda_impl/on_cpu/cudart/memory/arena.hpp"

namespace assay::cuda::on_cpu {

struct Piece {
  std::uint64_t size_bytes = 0;
  int device = 0;
  bool is_host = false;
  bool is_ours = true;       ///< false: registered, not allocated
  bool is_of_graph = false;  ///< a captured allocation: mapped for as long as its graph lives
  bool is_alive = true;      ///< false: freed, and still mapped for its graph
};

/// With the machine's lock held.
class Memory {
 public:
  static Memory& get();

  /// The first 4 MiB are filled with 0xa5, the rest is as the system gives it (zero) or as it was
  /// when this process used it before; nothing readable behind it. Null when the device has not so
  /// much left.
  void* allocate(std::uint64_t size_bytes, int device, bool is_host);
  /// For a capture: its bytes are fresh each time that `revive` is called, and gone once released;
  /// `destroy` takes them from the process.
  void* allocate_for_graph(std::uint64_t size_bytes, int device);
  void revive(void* address);
  void destroy(void* address);
  /// The first 4 MiB are filled with 0xdb, then all is taken from the process. False for an address
  /// where no piece begins.
  bool release(void* address);
  void add_registered(void* address, std::uint64_t size_bytes);
  /// A variable of the program's device side.
  void add_variable(void* address, std::uint64_t size_bytes);
  bool remove_registered(void* address);
  /// The piece that the address is in; null for none.
  const Piece* find(const void* address) const;
  /// The bytes from the address to the end of its piece.
  std::uint64_t bytes_from(const void* address) const;
  /// Where that is, for people: `byte 16 of 32 bytes on device 0`, `4 bytes behind 32 bytes on
  /// device 0`, `32 bytes on device 0 that were freed`. Allocates nothing: a crash may ask.
  void describe(const void* address, char* text, std::size_t text_bytes) const;
  std::string description(const void* address) const;

  /// From now on device memory that is allocated may be touched by the host only while work of the
  /// devices is done; and what was written behind a piece is told when it is released.
  void guard(bool is_on);
  bool is_guarded() const { return is_guarded_; }
  void let_host_in();
  void keep_host_out();

  std::uint64_t bytes_on(int device) const {
    const auto found = bytes_.find(device);
    return found == bytes_.end() ? 0 : found->second;
  }
  int count(bool is_host) const;
  /// A line for each piece that is alive.
  std::string alive() const;

 private:
  void* map(std::uint64_t size_bytes, bool is_host);
  void unmap(void* address, const Piece& piece);
  void forget(std::uintptr_t address, const Piece& piece);

  std::map<std::uintptr_t, Piece> pieces_;
  std::deque<std::pair<std::uintptr_t, Piece>> freed_;  ///< the newest
  Arena arena_;
  bool is_guarded_ = false;
  std::map<int, std::uint64_t> bytes_;  ///< of each device
};

}  // namespace assay::cuda::on_cpu
