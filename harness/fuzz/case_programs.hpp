// The programs of cases, which are the commands that each sends to the trusted subject, and how
// they are changed.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "harness/program/random.hpp"
#include "harness/protocol/message.hpp"
#include "harness/suite/runner/outcome.hpp"
#include "harness/suite/runner/selection.hpp"

namespace assay {

/// The program with one to three changes: a command left out, repeated, exchanged with the next, in
/// a scope that raises or on another thread; an argument left out or replaced by another object,
/// number, shape, dtype or device; or the whole program followed by `other` under names of its own.
/// Every command is valid by its schema.
Block varied(Block program, const Block& other, Random& random);

/// Shared by all workers.
class CasePrograms {
 public:
  CasePrograms() = default;
  /// Of these cases, those of the areas that can run under the contract.
  void choose(const std::vector<const Case*>& cases, const std::vector<std::string>& areas,
              const Contract& contract);

  bool empty() const { return cases_.empty(); }
  /// Runs a case on the trusted subject, from its initial state, and keeps the history.
  using RunCase = std::function<CaseResult(const Task&)>;
  /// A program with changes.
  Block changed(const RunCase& run, Random& random);

 private:
  const Block& program_of(std::size_t index, const RunCase& run);

  std::vector<const Case*> cases_;
  Contract contract_;
  std::mutex mutex_;
  std::map<std::size_t, Block> programs_;  ///< empty for a case whose program is not changed
};

}  // namespace assay
