// Modules with parameters, buffers, children and plain attributes, in the order of assignment.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "reference/core/tensor/tensor.hpp"

namespace assay::reference {

/// The computation of the module; `kPlain` has none.
enum class ModuleKind : std::uint8_t { kPlain, kLinear, kRelu, kMseLoss, kSequential };
/// For example `Linear`, as in messages; `Module` for a plain module.
std::string_view name_of(ModuleKind kind);

/// A named tensor; undefined for an empty slot.
struct Slot {
  std::string name;
  Tensor tensor;
};

class Module;
using ModulePtr = std::shared_ptr<Module>;

/// A tensor or list of tensors without a role in the module.
using PlainAttribute = std::variant<Tensor, std::vector<Tensor>>;

class Module {
 public:
  explicit Module(ModuleKind kind = ModuleKind::kPlain) : kind_(kind) {}

  ModuleKind kind() const { return kind_; }

  /// Replace the previous value of the same kind. Raise `key` if the name is used for another kind
  /// (MOVE-14).
  void set_parameter(const std::string& name, const Tensor& tensor);
  void set_buffer(const std::string& name, const Tensor& tensor);
  /// Null for an empty slot.
  void set_child(const std::string& name, ModulePtr child);
  /// Sets a parameter without any check.
  void put_parameter(const std::string& name, const Tensor& tensor);
  void set_attribute(const std::string& name, PlainAttribute value);

  std::vector<Slot>& parameters() { return parameters_; }
  std::vector<Slot>& buffers() { return buffers_; }
  /// Returns each module once, even if it has several names (MOVE-08), without empty slots.
  std::vector<ModulePtr> children() const;
  const std::vector<std::pair<std::string, ModulePtr>>& named_children() const { return children_; }

  /// Resolve a path such as `sub.weight`. Raise `attribute` if it does not exist.
  const Tensor& parameter(const std::string& path) const;
  const Tensor& buffer(const std::string& path) const;
  const PlainAttribute& attribute(const std::string& path) const;

  /// Applies to this module and all its descendants.
  void set_training(bool value);
  bool is_training() const { return training_; }

 private:
  /// `own` is the list that may contain the name already.
  void check_free(const std::string& name, const void* own) const;
  /// Returns the module that holds the last name of the path, and that name.
  std::pair<const Module*, std::string> walk(const std::string& path) const;

  ModuleKind kind_;
  bool training_ = true;
  std::vector<Slot> parameters_;
  std::vector<Slot> buffers_;
  std::vector<std::pair<std::string, ModulePtr>> children_;
  std::vector<std::pair<std::string, PlainAttribute>> attributes_;
};

/// Counts the nesting depth of modules on a thread, since a module may contain itself. Like Python,
/// raises `error` beyond 1000 levels.
class Descent {
 public:
  Descent();
  ~Descent();
  Descent(const Descent&) = delete;
  Descent& operator=(const Descent&) = delete;
};

/// Creates a parameter with the data of `tensor`: a new leaf object. Raises `error` if it requires
/// gradients and is neither floating nor complex.
Tensor make_parameter(const Tensor& tensor, bool requires_grad);

/// The paths of all parameters or buffers, with this module's own first; one for every occurrence.
enum class ModuleTensors : std::uint8_t { kParameters, kBuffers };
std::vector<std::string> paths_of(Module& module, ModuleTensors held);

}  // namespace assay::reference
