// The faults that the suites must catch: suites/faults/*.toml, compiled into the program.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/protocol/embedded.hpp"
#include "harness/protocol/message.hpp"

namespace assay {

/// A change at one place of the sources: the original text, and the text in mutants.
struct FaultChange {
  std::string file;
  std::string was;
  std::string becomes;
};

struct Fault {
  std::string name;
  std::vector<std::string> clauses;  ///< a case of one of these clauses must fail
  std::string what;
  std::string seen;                   ///< the origin of a real bug; may be empty
  std::optional<Contract> contract;   ///< the contract under which it shows, if not the default
  std::string file;                   ///< `faults/amp.toml:12`
  std::string subject = "reference";  ///< the subject whose second build has the fault
  /// No case fails on it unless its program is sent again with what must not matter changed.
  bool perturbed = false;
  /// The number of its function in the program that has it, if that says which functions a case
  /// reaches (harness/selftest/reached_functions.hpp).
  std::optional<std::size_t> function = std::nullopt;
  std::vector<FaultChange> changes;  ///< at least one, unless it has a `function`
};

/// Throws std::runtime_error with the position if the text is not a valid file or a name is not
/// unique.
std::vector<Fault> faults_from_toml(std::string_view text, std::string_view name);

/// All faults of the subject, ordered by name. Throws like faults_from_toml.
const std::vector<Fault>& all_faults(const std::string& subject = "reference");

/// The argument with which the mutants' programs run without a fault.
inline constexpr std::string_view kNoFault = "--none";

/// A program of mechanical mutants numbers its functions, and answers this command with the numbers
/// of those that were called since it answered it last: `{"result": [3, 14]}`.
inline constexpr std::string_view kAsksReached = "mutant.reached";

/// Null if the subject has no fault with this name.
const Fault* find_fault(std::string_view name, const std::string& subject = "reference");

/// The change as a diff: the file, unchanged lines, removed (-) and added (+) lines.
std::string diff_of(const FaultChange& change);

/// `faults/*.toml`, `support/*.toml` and `litmus/*.toml`, relative to suites/.
std::span<const EmbeddedFile> suite_data();

}  // namespace assay
