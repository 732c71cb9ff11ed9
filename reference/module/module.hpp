// Modules: parameters, buffers, children and plain attributes, in the order in which they were set.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "reference/core/tensor/tensor.hpp"

namespace assay::reference {

/// What calling the module computes; `kPlain` computes nothing.
enum class ModuleKind : std::uint8_t { kPlain, kLinear, kRelu, kMseLoss, kSequential };
/// `Linear`, as messages spell it; `Module` for a plain one.
std::string_view name_of(ModuleKind kind);

/// A name and what stands there: the undefined tensor for an empty slot.
struct Slot {
  std::string name;
  Tensor tensor;
};

class Module;
using ModulePtr = std::shared_ptr<Module>;

/// A tensor or a list of them that the module knows nothing about.
using PlainAttribute = std::variant<Tensor, std::vector<Tensor>>;

class Module {
 public:
  explicit Module(ModuleKind kind = ModuleKind::kPlain) : kind_(kind) {}

  ModuleKind kind() const { return kind_; }

  /// These replace what they have set before under that name, and raise `key` where the name stands
  /// for anything else (MOVE-14).
  void set_parameter(const std::string& name, const Tensor& tensor);
  void set_buffer(const std::string& name, const Tensor& tensor);
  /// Null for an empty slot.
  void set_child(const std::string& name, ModulePtr child);
  /// The same for a parameter, with no question asked.
  void put_parameter(const std::string& name, const Tensor& tensor);
  void set_attribute(const std::string& name, PlainAttribute value);

  std::vector<Slot>& parameters() { return parameters_; }
  std::vector<Slot>& buffers() { return buffers_; }
  /// Each module once, however many names it has here (MOVE-08); empty slots are left out.
  std::vector<ModulePtr> children() const;
  const std::vector<std::pair<std::string, ModulePtr>>& named_children() const { return children_; }

  /// What `path` (`sub.weight`) leads to. Raises `attribute` where it leads nowhere.
  const Tensor& parameter(const std::string& path) const;
  const Tensor& buffer(const std::string& path) const;
  const PlainAttribute& attribute(const std::string& path) const;

  /// Of this module and all below it.
  void set_training(bool value);
  bool is_training() const { return training_; }

 private:
  /// `own` is the list in which the name may stand.
  void check_free(const std::string& name, const void* own) const;
  /// The module that holds the last name of the path, and that name.
  std::pair<const Module*, std::string> walk(const std::string& path) const;

  ModuleKind kind_;
  bool training_ = true;
  std::vector<Slot> parameters_;
  std::vector<Slot> buffers_;
  std::vector<std::pair<std::string, ModulePtr>> children_;
  std::vector<std::pair<std::string, PlainAttribute>> attributes_;
};

/// One level further down in modules, as long as it lives. A module may hold itself: like Python,
/// raises `error` beyond a thousand levels of a thread.
class Descent {
 public:
  Descent();
  ~Descent();
  Descent(const Descent&) = delete;
  Descent& operator=(const Descent&) = delete;
};

/// A parameter on the data of `tensor`: an object of its own, a leaf. Raises `error` when one that
/// requires gradients is neither floating nor complex.
Tensor make_parameter(const Tensor& tensor, bool requires_grad);

/// Paths of all parameters, or of all buffers: this module's own first, one for every occurrence.
enum class Held : std::uint8_t { kParameters, kBuffers };
std::vector<std::string> paths_of(Module& module, Held held);

}  // namespace assay::reference
