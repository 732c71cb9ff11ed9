// A second opinion on programs that needs no second subject: a small model, which a suite writes.
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
  /// A program begins: the subject is in its first state. What is asked of it must leave it there.
  virtual void begin(Link& subject, const Contract& contract) = 0;
  /// What the reply has to be: the one that came, changed where the model knows better.
  virtual Reply expected(const Command& command, const Reply& got) = 0;
};

using MakeProgramModel = std::unique_ptr<ProgramModel> (*)();

/// Suites add theirs before main. True, so that it can stand where a constant is initialised.
bool add_program_model(std::string_view area, MakeProgramModel make);

/// New ones, of those areas.
std::vector<std::unique_ptr<ProgramModel>> program_models(const std::vector<std::string>& areas);

}  // namespace assay
