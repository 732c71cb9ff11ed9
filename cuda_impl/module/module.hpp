// A module: its parameters, buffers, children and other attributes, each list in order of setting.
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

/// What `forward` does: a plain module has none.
enum class ModuleKind : std::uint8_t { kPlain, kLinear, kRelu, kMseLoss, kSequential };
/// `Linear`, as messages have it; `Module` for a plain one.
std::string_view name_of(ModuleKind kind);

class Module;

template <typename T>
using NamedList = std::vector<std::pair<std::string, T>>;
/// A tensor, or several, that the module knows nothing about.
using PlainAttribute = std::variant<Tensor, std::vector<Tensor>>;

class Module {
 public:
  explicit Module(ModuleKind kind = ModuleKind::kPlain) : kind_(kind) {}

  ModuleKind kind() const { return kind_; }

  // Each replaces what it has set before under that name; undefined and null are empty slots. The
  // first three raise `key` where the name stands for something else (MOVE-14).
  void set_parameter(const std::string& name, const Tensor& tensor);
  void set_buffer(const std::string& name, const Tensor& tensor);
  void set_child(const std::string& name, std::shared_ptr<Module> child);
  void set_attribute(const std::string& name, PlainAttribute value);

  NamedList<Tensor>& parameters() { return parameters_; }
  NamedList<Tensor>& buffers() { return buffers_; }
  const NamedList<Tensor>& parameters() const { return parameters_; }
  const NamedList<Tensor>& buffers() const { return buffers_; }
  const NamedList<std::shared_ptr<Module>>& named_children() const { return children_; }
  /// Each module once, however many names it has here (MOVE-08); without empty slots.
  std::vector<std::shared_ptr<Module>> children() const;

  /// `sub.weight` is that of the child `sub`. Raise `attribute` where there is nothing.
  const Tensor& parameter(const std::string& path) const;
  const Tensor& buffer(const std::string& path) const;
  const PlainAttribute& attribute(const std::string& path) const;

  bool is_training() const { return is_training_; }
  /// Of this module and of all below it.
  void set_training(bool value);

 private:
  enum class Sort : std::uint8_t { kParameter, kBuffer, kChild, kAttribute };
  void require_free(const std::string& name, Sort sort) const;
  /// The module that the path leads to, and the last name of it.
  std::pair<const Module*, std::string> last_of(const std::string& path) const;

  ModuleKind kind_;
  bool is_training_ = true;
  NamedList<Tensor> parameters_;
  NamedList<Tensor> buffers_;
  NamedList<std::shared_ptr<Module>> children_;
  NamedList<PlainAttribute> attributes_;
};

/// Counts how deep a thread is in modules within modules, of which one may be its own child. Where
/// Python's stack would end, at 1000, `enter` raises `error`.
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

/// A leaf with the elements of `tensor`, and an object of its own. Raises `error` for a type that
/// cannot require gradients where it should.
Tensor make_parameter(const Tensor& tensor, bool requires_grad);

}  // namespace assay::cuda
