// Tracks a program's registrations by name: definitions, kernels, libraries.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/protocol/message.hpp"
#include "suites/dispatch/model/model.hpp"

namespace assay::suites {

/// A kernel of the program, by its label.
struct ProgramKernel {
  std::string label;
  std::string behaviour;
  bool typed = false;
  /// It redispatches with the keys that it receives, if it redispatches.
  bool uses_its_keys = true;

  TableEntry entry() const;
};

/// What is known about an operator's schema.
struct ProgramSchema {
  std::size_t arity = 0;
  /// It takes an array of tensors, whose keys typed calls in PyTorch ignore (DSP-206).
  bool has_array = false;
};

/// Applies successful registration commands.
class Registered {
 public:
  explicit Registered(Model model) : model_(std::move(model)) {}

  /// True if it is such a command. `ok`: it succeeded.
  bool follow(const Command& command, bool ok);

  const Model& model() const { return model_; }
  /// Nothing if it is unknown: the operator has no schema, or was changed by a command that is not
  /// tracked.
  std::optional<ProgramSchema> schema(const std::string& op) const;
  const ProgramKernel* kernel(const std::string& label) const;
  /// True if a kernel calls under a guard, which leaves bits behind in PyTorch (DSP-212).
  bool has_calling_kernel() const;
  /// True after a command whose effects are not modelled.
  bool is_lost() const { return lost_; }

 private:
  struct Registration {
    std::vector<int> numbers;
    std::string defines;  ///< an operator, or empty
  };
  using Shared = std::shared_ptr<Registration>;
  struct Library {
    std::string name_space;
    std::string key;
    std::vector<Shared> registrations;
  };

  void define(const Command& command, bool ok);
  void implement(const Command& command, bool ok);
  void fall_back(const Command& command, bool ok);
  void open_library(const Command& command);
  void move_library(const Command& command);
  void assign(const Command& command);
  void drop(const std::string& name);
  void end(Registration& registration);
  void keep(const Command& command, Library* library, const Shared& made);

  Library* library_of(const Command& command);
  std::string full_name(const std::string& name, const Library* library) const;
  const ProgramKernel* kernel_of(const Command& command) const;
  void add_kernel(Registration& to, const std::string& op, const std::string& key,
                  const ProgramKernel* kernel);
  void refused(const std::string& op);

  Model model_;
  std::map<std::string, ProgramKernel> kernels_;
  std::map<std::string, Shared> registrations_;
  std::map<std::string, std::shared_ptr<Library>> libraries_;
  std::map<std::string, std::vector<ProgramSchema>> schemas_;  ///< of live definitions
  std::set<std::string> unclear_;                              ///< operators
  bool lost_ = false;
};

}  // namespace assay::suites
