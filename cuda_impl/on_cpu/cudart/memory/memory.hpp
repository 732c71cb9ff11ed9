// Simulated device and pinned memory: process memory with a record of each allocation.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>

#include "cuda_impl/on_cpu/cudart/memory/pages.hpp"

namespace assay::cuda::on_cpu {

struct Piece {
  std::uint64_t size_bytes = 0;
  int device = 0;
  bool is_host = false;
  bool is_ours = true;       ///< false: registered by the host
  bool is_of_graph = false;  ///< a captured allocation: mapped as long as its graph exists
  bool is_alive = true;      ///< false: freed, but still mapped for its graph
  bool is_lost = false;      ///< the program tried to free it, but its context is lost
};

/// Requires the machine's lock.
class Memory {
 public:
  static Memory& get();

  /// Fills the first 4 MiB with 0xa5; the rest is zero, or what it was at an earlier use. The
  /// memory behind the allocation is not accessible. Returns null if the device's memory is
  /// exhausted.
  void* allocate(std::uint64_t size_bytes, int device, bool is_host);
  /// For a capture: `revive` makes the bytes fresh at each launch, `release` invalidates them, and
  /// `destroy` unmaps them.
  void* allocate_for_graph(std::uint64_t size_bytes, int device);
  void revive(void* address);
  void destroy(void* address);
  /// Fills the first 4 MiB with 0xdb and then unmaps the memory. Returns false if no allocation
  /// begins at the address.
  bool release(void* address);
  void add_registered(void* address, std::uint64_t size_bytes);
  /// Adds a device variable of the program.
  void add_variable(void* address, std::uint64_t size_bytes);
  bool remove_registered(void* address);
  /// The allocation that contains the address; null if there is none.
  const Piece* find(const void* address) const;
  /// The number of bytes from the address to the end of its allocation.
  std::uint64_t bytes_from(const void* address) const;
  /// Describes an address: `byte 16 of 32 bytes on device 0`, `4 bytes behind 32 bytes on device
  /// 0`, `32 bytes on device 0 that were freed`. Does not allocate, so crash handlers can call it.
  void describe(const void* address, char* text, std::size_t text_bytes) const;
  std::string description(const void* address) const;

  /// If on, the host may access device memory allocated from now on only while device work runs,
  /// and writes behind an allocation are reported when it is freed.
  void guard(bool is_on);
  bool is_guarded() const { return is_guarded_; }
  void let_host_in();
  void keep_host_out();

  std::uint64_t bytes_on(int device) const {
    const auto found = bytes_.find(device);
    return found == bytes_.end() ? 0 : found->second;
  }
  int count(bool is_host) const;
  /// Marks an allocation that nobody can free any more, so that it is no leak.
  void mark_lost(const void* address);
  /// Lists the live allocations that the program can free, one a line.
  std::string alive() const;

 private:
  void* map_fresh(const Piece& piece);
  void unmap(void* address, const Piece& piece);
  void forget(std::uintptr_t address, const Piece& piece);

  std::map<std::uintptr_t, Piece> pieces_;
  std::deque<std::pair<std::uintptr_t, Piece>> freed_;  ///< the latest ones
  Arena arena_;
  bool is_guarded_ = false;
  std::map<int, std::uint64_t> bytes_;  ///< per device
};

}  // namespace assay::cuda::on_cpu
