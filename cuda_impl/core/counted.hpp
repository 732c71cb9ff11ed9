// Shared ownership with intrusive reference counts: copying or destroying a handle costs one locked
// instruction.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

namespace assay::cuda {

/// An object with its owner count and watcher count. The owners together hold one watcher; the
/// memory is freed when the last watcher is gone.
template <typename T>
class CountedBlock {
 public:
  template <typename... Args>
  explicit CountedBlock(Args&&... args) : content_(std::forward<Args>(args)...) {}
  ~CountedBlock() {}  // NOLINT: the content is destroyed with its last owner
  CountedBlock(const CountedBlock&) = delete;
  CountedBlock& operator=(const CountedBlock&) = delete;

  T& content() { return content_; }
  std::uint32_t owners() const { return owners_.load(std::memory_order_relaxed); }

  void own() { owners_.fetch_add(1, std::memory_order_relaxed); }
  void watch() { watchers_.fetch_add(1, std::memory_order_relaxed); }
  /// Returns false if there is no owner left.
  bool try_own() {
    std::uint32_t seen = owners();
    while (seen != 0) {
      if (owners_.compare_exchange_weak(seen, seen + 1, std::memory_order_acquire)) return true;
    }
    return false;
  }
  void disown() {
    if (owners_.fetch_sub(1, std::memory_order_acq_rel) == 1) [[unlikely]]
      destroy();
  }
  void unwatch() {
    if (watchers_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }

 private:
  [[gnu::noinline]] void destroy() {
    std::destroy_at(&content_);
    unwatch();
  }

  std::atomic<std::uint32_t> owners_ = 1;
  std::atomic<std::uint32_t> watchers_ = 1;
  union {
    T content_;
  };
};

/// A shared owner, or null. A handle must not be used by two threads at once; the object may be.
template <typename T>
class Counted {
 public:
  Counted() = default;
  template <typename... Args>
  static Counted make(Args&&... args) {
    return Counted(new CountedBlock<T>(std::forward<Args>(args)...));
  }
  Counted(const Counted& other) : block_(other.block_) {
    if (block_ != nullptr) block_->own();
  }
  Counted(Counted&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
  Counted& operator=(Counted other) noexcept {
    std::swap(block_, other.block_);
    return *this;
  }
  ~Counted() {
    if (block_ != nullptr) block_->disown();
  }

  T* get() const { return block_ == nullptr ? nullptr : &block_->content(); }
  T& operator*() const { return block_->content(); }
  T* operator->() const { return &block_->content(); }
  explicit operator bool() const { return block_ != nullptr; }
  bool operator==(const Counted& other) const { return block_ == other.block_; }
  /// Returns an address that is unique while the object is owned or watched; null for null.
  const void* identity() const { return block_; }
  /// Returns 0 for null.
  std::int64_t use_count() const { return block_ == nullptr ? 0 : block_->owners(); }

 private:
  template <typename U>
  friend class Watched;
  /// Adopts one owner count.
  explicit Counted(CountedBlock<T>* block) : block_(block) {}

  CountedBlock<T>* block_ = nullptr;
};

/// A weak reference: does not keep the object alive, but reserves its address, so that no other
/// object can have it.
template <typename T>
class Watched {
 public:
  Watched() = default;
  Watched(const Counted<T>& owner) : block_(owner.block_) {
    if (block_ != nullptr) block_->watch();
  }
  Watched(const Watched& other) : block_(other.block_) {
    if (block_ != nullptr) block_->watch();
  }
  Watched(Watched&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
  Watched& operator=(Watched other) noexcept {
    std::swap(block_, other.block_);
    return *this;
  }
  ~Watched() {
    if (block_ != nullptr) block_->unwatch();
  }

  /// Returns null if the object is destroyed.
  Counted<T> lock() const {
    return block_ != nullptr && block_->try_own() ? Counted<T>(block_) : Counted<T>();
  }
  bool expired() const { return block_ == nullptr || block_->owners() == 0; }
  /// Compares identity, whether or not the object is still alive.
  bool is_of(const Counted<T>& owner) const { return block_ == owner.block_; }
  /// As of the object's owners, whether or not the object is still alive.
  const void* identity() const { return block_; }

 private:
  CountedBlock<T>* block_ = nullptr;
};

}  // namespace assay::cuda
