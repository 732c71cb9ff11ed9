// Saves tensors for backward.
#include "reference/autograd/saved.hpp"

#include <mutex>

#include "reference/core/tensor/view.hpp"

namespace assay::reference {
namespace {

/// Two threads may save the same tensor.
std::shared_ptr<void> held(const Tensor& tensor) {
  static std::mutex mutex;
  const std::scoped_lock lock(mutex);
  auto& watchers = tensor.impl()->watchers;
  std::erase_if(watchers, [](const std::weak_ptr<void>& one) { return one.expired(); });
  auto hold = std::make_shared<char>();
  watchers.push_back(hold);
  return hold;
}

}  // namespace

SavedTensor SavedTensor::input(const Tensor& tensor) {
  check(!tensor.is_inference(), [] {
    return "Inference tensors cannot be saved for backward; make a clone to get a normal tensor";
  });
  SavedTensor saved;
  saved.tensor_ = tensor;
  saved.hold_ = held(tensor);
  saved.version_ = tensor.version();
  return saved;
}

SavedTensor SavedTensor::result(const Tensor& tensor) {
  SavedTensor saved = input(detach(tensor));
  saved.is_result_ = true;
  saved.number_ = tensor.impl()->result;
  return saved;
}

Tensor SavedTensor::unpack(const std::shared_ptr<Node>& owner) const {
  check(!is_released_, [] {
    return "backward through the graph a second time: the saved tensors have been freed; say "
           "retain_graph the first time";
  });
  check(tensor_.version() == version_, [&] {
    return "a tensor needed for gradient computation has been modified by an inplace operation: " +
           describe(tensor_) + " is at version " + std::to_string(tensor_.version()) +
           ", expected version " + std::to_string(version_);
  });
  if (!is_result_) return tensor_;
  Tensor made = detach(tensor_);
  made.impl()->node = owner;
  made.impl()->result = number_;
  made.impl()->requires_grad = true;
  return made;
}

void SavedTensor::release() {
  is_released_ = is_released_ || tensor_.defined();
  tensor_ = {};
  hold_.reset();
}

}  // namespace assay::reference
