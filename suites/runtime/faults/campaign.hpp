// Failure campaigns: runs a scenario once undisturbed, then again with each of its driver calls
// failing (FLT-018).
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "harness/suite/clients/memory.hpp"
#include "suites/runtime/faults/failing.hpp"

namespace assay::suites {

/// The objects made by the steps of one run, by name.
class Stage {
 public:
  explicit Stage(Session& subject) : subject_(&subject) {}

  Session& subject() const { return *subject_; }
  RuntimeClient runtime() const { return subject_->runtime(); }
  MemoryClient memory() const { return subject_->memory(); }
  Device device(int index) const { return subject_->device(index); }

  void keep(const std::string& name, const Value& made) { made_[name] = made; }
  void keep_block(const std::string& name, MemoryBlock block);
  bool has_guards() const { return !guards_.empty(); }
  void keep_pinned(const std::string& name, const Value& tensor) {
    has_pinned_ = true;
    keep(name, tensor);
  }
  void keep_guard(GuardObject guard) { guards_.push_back(std::move(guard)); }
  const Value& at(const std::string& name) const { return made_.at(name); }

  void free_block(const std::string& name);
  void leave_guard();
  /// Destroys the object with this name.
  void drop(const std::string& name);
  /// Destroys all remaining objects, the last guard first.
  void clear();

 private:
  void attempt(const std::function<void()>& action);

  Session* subject_;
  std::map<std::string, Value> made_;
  std::map<std::string, MemoryBlock> blocks_;
  std::vector<GuardObject> guards_;
  bool has_allocated_ = false;
  bool has_pinned_ = false;
};

/// A single call of the runtime.
struct Step {
  std::string name;
  std::function<void(Stage&)> call;
};

struct Scenario {
  std::string name;
  std::vector<Step> steps;
};

/// Streams, events, nested guards, memory, copies, a mixed-precision step.
std::vector<Scenario> scenarios();

/// How a call fails.
struct Failing {
  bool after = false;  ///< fails after its effect
  bool sticky = false;
};

/// Runs every call number of the scenario. Throws CheckFailed if the runtime's state is wrong.
void run_campaign(Session& subject, const Scenario& scenario, const Failing& how);

}  // namespace assay::suites
