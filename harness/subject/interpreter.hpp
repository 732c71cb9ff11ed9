// The environment of a subject in its own process: runs blocks, manages threads and callbacks, and
// handles defects.
#pragma once

#include <memory>

#include "harness/subject/subject.hpp"

namespace assay {

/// Answers every command: block commands itself, others through the subject. Never throws.
class Interpreter final : public Host {
 public:
  explicit Interpreter(Subject& subject);
  ~Interpreter() override;

  Reply execute(const Command& command);

  Reply call(const std::string& callback, const std::vector<Value>& arguments,
             const Fields& named) override;

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace assay
