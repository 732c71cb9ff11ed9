// A model that checks programs without a second subject; provided by a suite.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "harness/protocol/message.hpp"
#include "harness/subject/link/link.hpp"

namespace assay {

class ProgramModel {
 public:
  virtual ~ProgramModel() = default;
  /// A program begins, with the subject in its initial state. Queries must not change that state.
  virtual void begin(Link& subject, const Contract& contract) = 0;
  /// The expected reply: `got`, with changes where the model predicts something else.
  virtual Reply expected(const Command& command, const Reply& got) = 0;
};

using MakeProgramModel = std::unique_ptr<ProgramModel> (*)();

/// Registers a model before main. Returns true, for use in an initializer.
bool add_program_model(std::string_view area, MakeProgramModel make);

/// New models for these areas.
std::vector<std::unique_ptr<ProgramModel>> program_models(const std::vector<std::string>& areas);

}  // namespace assay
