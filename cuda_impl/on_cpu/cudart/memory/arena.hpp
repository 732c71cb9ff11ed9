// A part of the address space for device memory, which is opened and closed to the host as a whole.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <vector>

namespace assay::cuda::on_cpu {

class Arena {
 public:
  /// Pages for so many bytes, while the arena is open; null when there are none.
  void* take(std::uint64_t size_bytes);
  /// The contents stay for a while, so that a use after this is seen as such.
  void give_back(void* address, std::uint64_t size_bytes);
  bool contains(const void* address) const;

  /// Allow, and forbid, every access to the memory that was taken. The cost grows with the memory
  /// that was touched, in huge pages where the system has them.
  void open();
  void close();
  bool is_open() const { return is_open_; }

  /// The bytes behind a piece, up to the next, belong to nothing. Are they as take() left them?
  bool is_intact_behind(const void* address, std::uint64_t size_bytes) const;

 private:
  struct Range {
    char* begin;
    std::uint64_t pages;
  };
  void reserve();
  void grow(std::uint64_t bytes);
  void protect(int how);
  void reuse_the_oldest();

  char* begin_ = nullptr;
  char* used_ = nullptr;
  char* protected_ = nullptr;  ///< the end of what is opened and closed
  char* end_ = nullptr;
  bool is_open_ = false;
  std::deque<Range> left_;  ///< given back, not yet to be taken
  std::uint64_t left_pages_ = 0;
  std::map<std::uint64_t, std::vector<char*>> free_;  ///< by pages
};

/// Opens the arena while it lives, and leaves it as it was.
class OpenArena {
 public:
  explicit OpenArena(Arena& arena) : arena_(arena), was_open_(arena.is_open()) { arena_.open(); }
  ~OpenArena() {
    if (!was_open_) arena_.close();
  }
  OpenArena(const OpenArena&) = delete;
  OpenArena& operator=(const OpenArena&) = delete;

 private:
  Arena& arena_;
  bool was_open_;
};

}  // namespace assay::cuda::on_cpu
