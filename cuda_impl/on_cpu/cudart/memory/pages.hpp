// Pages for device memory: with guard pages on both sides, or from an address range to which host
// access can be permitted or forbidden.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <vector>

namespace assay::cuda::on_cpu {

/// Returns null if there is no memory. With the address sanitizer, the bytes in front of and behind
/// the allocation are poisoned.
void* map_pages(std::uint64_t size_bytes);
void unmap_pages(void* address, std::uint64_t size_bytes);

/// Pages filled with one byte, which can be mapped many times: only pages written later cost
/// memory and time.
class FilledPages {
 public:
  FilledPages(unsigned char byte, std::uint64_t size_bytes);
  ~FilledPages();
  FilledPages(const FilledPages&) = delete;
  FilledPages& operator=(const FilledPages&) = delete;

  /// Replaces whole pages at `address`, and fills the rest after the last one. Returns false, and
  /// changes nothing, if the system cannot map such pages, or if they are too few for the size.
  bool map_at(void* address, std::uint64_t size_bytes) const;

 private:
  unsigned char byte_;
  std::uint64_t size_bytes_;
  int file_;  ///< -1 if there is none
};

class Arena {
 public:
  /// Returns pages for an allocation; null if there are none. The arena must be open.
  void* take(std::uint64_t size_bytes);
  /// Keeps the contents for a while, so that a use after free is detected.
  void give_back(void* address, std::uint64_t size_bytes);
  bool contains(const void* address) const;

  /// Permit or forbid all access to allocated memory. The cost grows with the touched memory,
  /// counted in huge pages if the system has them.
  void open();
  void close();
  bool is_open() const { return is_open_; }

  /// The bytes between an allocation and the next are unused. Returns whether they are unchanged.
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
  char* protected_ = nullptr;  ///< end of the range that is opened and closed
  char* end_ = nullptr;
  bool is_open_ = false;
  std::deque<Range> left_;  ///< freed, but not reusable yet
  std::uint64_t left_pages_ = 0;
  std::map<std::uint64_t, std::vector<char*>> free_;  ///< by number of pages
};

/// Opens the arena for the scope and restores its previous state.
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
