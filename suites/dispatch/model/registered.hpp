// What a program has registered, by the names that it gave: definitions, kernels, libraries.
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
  /// Goes on with the keys that it gets, if it goes on.
  bool uses_its_keys = true;

  TableEntry entry() const;
};

/// What is known of an operator's schema.
struct ProgramSchema {
  std::size_t arity = 0;
  /// Takes an array of so many tensors, whose keys a typed call in PyTorch ignores (DSP-206).
  bool has_array = false;
};

/// Follows the commands of registration that have succeeded.
class Registered {
 public:
  explicit Registered(Model model) : model_(std::move(model)) {}

  /// True if the command is one of these. `ok`: has it succeeded?
  bool follow(const Command& command, bool ok);

  const Model& model() const { return model_; }
  /// Nothing where nobody can say: it has no schema, or something that is not followed here was
  /// done to it.
  std::optional<ProgramSchema> schema(const std::string& op) const;
  const ProgramKernel* kernel(const std::string& label) const;
  /// Is there a kernel that calls under a guard? In PyTorch that leaves bits behind (DSP-212).
  bool has_calling_kernel() const;
  /// The program has done something after which the model knows nothing.
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
