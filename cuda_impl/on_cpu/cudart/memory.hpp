// Device memory and pinned memory: plain memory of this process, of which every piece is known.
#pragma once

#include <cstdint>
#include <map>

namespace assay::cuda::on_cpu {

struct Piece {
  std::uint64_t size_bytes = 0;
  int device = 0;
  bool is_host = false;
  bool is_ours = true;  ///< false: registered, not allocated
};

/// With the machine's lock held.
class Memory {
 public:
  static Memory& get();

  /// Filled with 0xa5. 0 when the device has not so much left.
  void* allocate(std::uint64_t size_bytes, int device, bool is_host);
  /// What was there is filled with 0xdb first, and taken from the process.
  bool release(void* address);
  void add_registered(void* address, std::uint64_t size_bytes);
  /// A variable of the program's device side.
  void add_variable(void* address, std::uint64_t size_bytes);
  bool remove_registered(void* address);
  /// The piece that the address is in; null for none.
  const Piece* find(const void* address) const;

  std::uint64_t bytes_on(int device) const;
  int count(bool is_host) const;

 private:
  std::map<std::uintptr_t, Piece> pieces_;
};

}  // namespace assay::cuda::on_cpu
