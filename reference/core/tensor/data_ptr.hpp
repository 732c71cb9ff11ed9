// An owning pointer with a context and a deleter (CORE-24).
#pragma once

#include <utility>

#include "reference/core/types/device.hpp"

namespace assay::reference {

/// Move-only. Calls `deleter(context)` once, when it is destroyed or overwritten, unless the
/// context is null.
class DataPtr {
 public:
  using Deleter = void (*)(void* context);

  DataPtr() = default;
  DataPtr(void* memory, void* owner, Deleter give_back, Device where)
      : data_(memory), context_(owner), deleter_(give_back), device_(where) {}
  DataPtr(DataPtr&& other) noexcept { take(other); }
  DataPtr& operator=(DataPtr&& other) noexcept {
    if (this == &other) return *this;
    free_context();
    take(other);
    return *this;
  }
  DataPtr(const DataPtr&) = delete;
  DataPtr& operator=(const DataPtr&) = delete;
  ~DataPtr() { free_context(); }

  void* data() const { return data_; }
  void* context() const { return context_; }
  Deleter deleter() const { return deleter_; }
  Device device() const { return device_; }

  /// Transfers ownership of the context to the caller.
  [[nodiscard]] void* release_context() { return std::exchange(context_, nullptr); }

  /// Replaces the deleter if it is `expected`; returns whether it was.
  bool compare_exchange_deleter(Deleter expected, Deleter wanted) {
    if (deleter_ != expected) return false;
    deleter_ = wanted;
    return true;
  }

 private:
  void free_context() {
    if (context_ != nullptr && deleter_ != nullptr) deleter_(std::exchange(context_, nullptr));
  }
  void take(DataPtr& other) {
    data_ = std::exchange(other.data_, nullptr);
    context_ = std::exchange(other.context_, nullptr);
    deleter_ = std::exchange(other.deleter_, nullptr);
    device_ = other.device_;
  }

  void* data_ = nullptr;
  void* context_ = nullptr;
  Deleter deleter_ = nullptr;
  Device device_;
};

}  // namespace assay::reference
