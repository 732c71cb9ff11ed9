// From what the user types after --subject to a link with that subject.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/subject/link/link.hpp"
#include "harness/suite/faults.hpp"
#include "harness/suite/waivers/support.hpp"

namespace assay {

struct ConnectedSubject {
  std::string name;  ///< as typed
  std::unique_ptr<Link> link;
  SupportPolicy support;
  /// The contract under which a mutant shows its fault.
  std::optional<Contract> preferred;
  /// One more of the same, for a run with several at a time; null where there can be only one.
  std::function<std::unique_ptr<Link>()> open;
  /// For a case.
  std::chrono::milliseconds timeout{30'000};
};

struct SubjectOptions {
  std::chrono::milliseconds timeout{30'000};
  /// Areas of which a subject must answer everything.
  std::vector<std::string> required_areas;
  /// What a foreign subject may leave unanswered.
  std::vector<SupportEntry> support;
  /// In a process of its own; where nothing is said, whatever is not the reference.
  std::optional<bool> isolate;
  /// A device that is not there is no wrong usage: the process ends with 77.
  bool allow_absent = false;
  /// The interpreter for `torch`; absent: ASSAY_PYTHON, or python3.
  std::optional<std::string> python;
};

/// `reference`, `mutant:<fault>`, `cuda`, `cuda_on_cpu`, `torch`, `libtorch`, a path of a shared
/// library, or a command line. Throws DeviceAbsent for `cuda` without a device, and UsageError with
/// the list of what there is when `text` is none of these.
ConnectedSubject connect(const std::string& text, const SubjectOptions& options);

/// The second build of the fault's subject, with that fault switched on.
ConnectedSubject connect_mutant(const Fault& fault, const SubjectOptions& options);

/// Does the list of what may go unanswered belong to this project, so that a user adds nothing?
bool has_own_support(const std::string& text);

/// Built-in names, for lists and suggestions: `reference`, `cuda`, `cuda_on_cpu`, `torch`,
/// `libtorch`, `mutant:…`.
std::vector<std::string> subject_names();

/// Those names with a sentence each; the mutants are one line.
std::vector<std::pair<std::string, std::string>> known_subjects();

/// Where `assay-mutant` lies: beside the running program; an installation has none.
std::string mutant_program();

/// Opens one that `assay serve` knows, a shared library among them. Throws UsageError, and what
/// connect_plugin throws.
std::unique_ptr<Link> connect_here(const std::string& text);

/// Can `program`, a path or a name, be started?
bool is_program_in_path(const std::string& program);

/// A path of a shared library, by its name.
bool is_plugin(const std::string& text);

/// Splits as a shell does: spaces, single and double quotes, backslashes. Throws UsageError on an
/// open quote.
std::vector<std::string> split_words(const std::string& text);

}  // namespace assay
