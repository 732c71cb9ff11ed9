// A part of the address space for device memory, which is opened and closed to the host as a whole.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <vector>

namespace assay::cuda::on_cpu {

class Arena {
 public:
  /// Pages for so many bytes, open until they are closed; null when there are none.
  void* take(std::uint64_t size_bytes);
  /// What is there stays for a while, so that whoever uses it too late sees what was left of it.
  void give_back(void* address, std::uint64_t size_bytes);
  bool contains(const void* address) const;

  /// Everybody may touch it, and nobody.
  void open();
  void close();
  /// As above for one piece.
  void open(void* address, std::uint64_t size_bytes);
  void close(void* address, std::uint64_t size_bytes);

  /// The bytes behind a piece, up to the next: nobody's. Are they as take() has left them?
  bool is_intact_behind(const void* address, std::uint64_t size_bytes) const;

 private:
  struct Range {
    char* begin;
    std::uint64_t pages;
  };
  void reserve();
  void reuse_the_oldest();

  char* begin_ = nullptr;
  char* used_ = nullptr;
  char* end_ = nullptr;
  bool is_open_ = false;
  std::deque<Range> left_;  ///< given back, not yet to be taken
  std::uint64_t left_pages_ = 0;
  std::map<std::uint64_t, std::vector<char*>> free_;  ///< by pages
};

}  // namespace assay::cuda::on_cpu
