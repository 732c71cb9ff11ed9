// The faults that the suites must catch: suites/faults/*.toml, compiled into the program.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/protocol/embedded.hpp"
#include "harness/protocol/message.hpp"

namespace assay {

/// One place of a fault in the sources: the text that stands there, and the one that mutants have.
struct FaultChange {
  std::string file;
  std::string was;
  std::string becomes;
};

struct Fault {
  std::string name;
  std::vector<std::string> clauses;  ///< a case that witnesses one of these must turn red
  std::string what;
  std::string seen;                   ///< where it really happened; may be empty
  std::optional<Contract> contract;   ///< where it shows, if not under the default one
  std::string file;                   ///< `faults/amp.toml:12`
  std::string subject = "reference";  ///< whose second build has the switch
  std::vector<FaultChange> changes;   ///< at least one
};

/// Throws std::runtime_error with the place when the text is not such a file, or a name comes
/// twice.
std::vector<Fault> faults_from_toml(std::string_view text, std::string_view name);

/// Every fault of the subject, by name. Throws as faults_from_toml does.
const std::vector<Fault>& all_faults(const std::string& subject = "reference");

/// Null when the subject has none of that name.
const Fault* find_fault(std::string_view name, const std::string& subject = "reference");

/// The change as a diff: the file, then lines that stay, go (-) and come (+).
std::string diff_of(const FaultChange& change);

/// `faults/*.toml` and `support/*.toml`, as they stand in suites/.
std::span<const EmbeddedFile> suite_data();

}  // namespace assay
