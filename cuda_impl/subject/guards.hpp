// Runtime guards that last until the client leaves them.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "cuda_impl/subject/call.hpp"

namespace assay::cuda {

template <typename T>
class HeldGuard final : public Guard {
 public:
  template <typename... Args>
  explicit HeldGuard(Args&&... args) : held_(std::in_place, std::forward<Args>(args)...) {}
  void leave() override { held_.reset(); }

 private:
  std::optional<T> held_;
};

/// Sets the result to a guard that has been entered.
template <typename T, typename... Args>
void give_held(Call& call, Args&&... args) {
  std::shared_ptr<Guard> guard = std::make_shared<HeldGuard<T>>(std::forward<Args>(args)...);
  call.result(Object(std::move(guard), "guard"));
}

}  // namespace assay::cuda
