// Runtime guards that clients hold by name.
#pragma once

#include <memory>
#include <utility>
#include <variant>

#include "reference/runtime/guards/stream.hpp"
#include "reference/subject/call.hpp"

namespace assay::reference {

/// A client's guard; leaving it ends the scope.
class RuntimeGuard final : public Guard {
 public:
  using Held =
      std::variant<std::unique_ptr<BackendDeviceGuard>, std::unique_ptr<OptionalDeviceGuard>,
                   std::unique_ptr<StreamGuard>, std::unique_ptr<OptionalStreamGuard>,
                   std::unique_ptr<MultiStreamGuard>>;

  explicit RuntimeGuard(Held held) : held_(std::move(held)) {}

  void leave() override {
    std::visit([](auto& guard) { guard.reset(); }, held_);
  }
  /// Null for another kind of guard, and after the scope.
  template <typename T>
  T* as() const {
    const auto* found = std::get_if<std::unique_ptr<T>>(&held_);
    return found == nullptr ? nullptr : found->get();
  }

 private:
  Held held_;
};

template <typename T, typename... Arguments>
void give_guard(Call& call, Arguments&&... arguments) {
  auto made = std::make_unique<T>(call.runtime(), std::forward<Arguments>(arguments)...);
  std::shared_ptr<Guard> guard = std::make_shared<RuntimeGuard>(std::move(made));
  call.result(Object(std::move(guard), "guard"));
}

}  // namespace assay::reference
