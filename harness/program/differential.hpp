// One program on two subjects, or on one and the models of it: where do they differ?
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/check/compare.hpp"
#include "harness/program/program_model.hpp"
#include "harness/protocol/message.hpp"
#include "harness/subject/link/link.hpp"

namespace assay {

struct ProgramResult {
  enum class End : std::uint8_t {
    kAgreed,
    kDiffers,      ///< at `exchanges.back()`
    kUnsupported,  ///< one of them lacks what the last command asks: nothing more can be said
    kUnknown,      ///< the one that is believed died over it
    kBroken,       ///< the subject under test died, hung, or wrote what is not a reply
  };
  End end = End::kAgreed;
  /// The commands sent, with the replies of the subject that is believed; without one, with those
  /// of the subject under test, and at the end what a model says.
  std::vector<std::pair<Command, Reply>> exchanges;
  /// Of the other one, to the last command.
  std::optional<Reply> got;
  std::optional<Difference> difference;
  std::string broken;  ///< why
  /// Of the innermost command that was not supported, or where they differ.
  std::string verb;

  /// What findings of one cause have in common.
  std::string signature() const;
};

class Differential {
 public:
  /// Both must have said hello to `contract`, which is said again after each restart. Without a
  /// subject that is believed, only the models judge.
  Differential(Link& subject, Link* believed, const Contract& contract,
               std::vector<std::unique_ptr<ProgramModel>> models = {})
      : subject_(subject), believed_(believed), contract_(contract), models_(std::move(models)) {}

  /// From the first state of both. Throws LinkBroken if the believed one does not start again.
  ProgramResult run(const Block& program);

 private:
  void prepare(Link& link, bool& fresh);
  bool ask_believed(const Command& command, ProgramResult& result);
  bool ask_subject(const Command& command, ProgramResult& result);
  bool differs(const Command& command, ProgramResult& result);
  void restart(Link& link);

  Link& subject_;
  Link* believed_;
  Contract contract_;
  std::vector<std::unique_ptr<ProgramModel>> models_;
  bool subject_is_fresh_ = true;
  bool believed_is_fresh_ = true;
};

}  // namespace assay
