// A module: parameters, buffers, children and other attributes, each in the order of assignment.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda {

/// The computation of `forward`; a plain module has none.
enum class ModuleKind : std::uint8_t { kPlain, kLinear, kRelu, kMseLoss, kSequential };
/// `Linear`, as in messages; `Module` for a plain module.
std::string_view name_of(ModuleKind kind);

class Module;

template <typename T>
using NamedList = std::vector<std::pair<std::string, T>>;
/// A tensor or list of tensors that is neither parameter nor buffer.
using PlainAttribute = std::variant<Tensor, std::vector<Tensor>>;

class Module {
 public:
  explicit Module(ModuleKind kind = ModuleKind::kPlain) : kind_(kind) {}

  ModuleKind kind() const { return kind_; }

  // Each replaces an earlier value of the same kind; undefined and null are empty slots. The first
  // three raise `key` if the name is in use for another kind (MOVE-14).
  void set_parameter(const std::string& name, const Tensor& tensor);
  void set_buffer(const std::string& name, const Tensor& tensor);
  /// Looks at no other kind.
  void put_parameter(const std::string& name, const Tensor& tensor);
  void set_child(const std::string& name, std::shared_ptr<Module> child);
  void set_attribute(const std::string& name, PlainAttribute value);

  NamedList<Tensor>& parameters() { return parameters_; }
  NamedList<Tensor>& buffers() { return buffers_; }
  const NamedList<Tensor>& parameters() const { return parameters_; }
  const NamedList<Tensor>& buffers() const { return buffers_; }
  const NamedList<std::shared_ptr<Module>>& named_children() const { return children_; }
  /// Returns each module once, even under several names (MOVE-08), and no empty slots.
  std::vector<std::shared_ptr<Module>> children() const;

  /// `sub.weight` is the `weight` of the child `sub`. Raise `attribute` if it does not exist.
  const Tensor& parameter(const std::string& path) const;
  const Tensor& buffer(const std::string& path) const;
  const PlainAttribute& attribute(const std::string& path) const;

  bool is_training() const { return is_training_; }
  /// For this module and all modules below it.
  void set_training(bool value);

 private:
  enum class Sort : std::uint8_t { kParameter, kBuffer, kChild, kAttribute };
  void require_free(const std::string& name, Sort sort) const;
  /// The module that contains the last name of the path, and that name.
  std::pair<const Module*, std::string> last_of(const std::string& path) const;

  ModuleKind kind_;
  bool is_training_ = true;
  NamedList<Tensor> parameters_;
  NamedList<Tensor> buffers_;
  NamedList<std::shared_ptr<Module>> children_;
  NamedList<PlainAttribute> attributes_;
};

/// Counts a thread's nesting depth of modules, since a module can be its own child. Beyond 1000,
/// Python's recursion limit, `enter` raises `error`.
class ModuleDepth {
 public:
  ModuleDepth() { enter(); }
  ~ModuleDepth() { --now_; }
  ModuleDepth(const ModuleDepth&) = delete;
  ModuleDepth& operator=(const ModuleDepth&) = delete;

 private:
  static void enter();
  static thread_local unsigned now_;
};

/// Returns a leaf that is a new object with the elements of `tensor`. Raises `error` if it should
/// require gradients and its dtype cannot.
Tensor make_parameter(const Tensor& tensor, bool requires_grad);

}  // namespace assay::cuda
