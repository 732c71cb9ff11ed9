// Connects to the subject that the user names with --subject.
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
  /// Opens another connection, for parallel runs; null if there can be only one.
  std::function<std::unique_ptr<Link>()> open;
  /// The time limit of a case.
  std::chrono::milliseconds timeout{30'000};
  /// The program and its script, or the library: the files that decide what the subject answers.
  std::vector<std::string> files = {};
  /// False for `python3 -m mine`, whose code is in files that the command line does not name.
  bool names_its_code = true;
  /// True for `torch` and `libtorch`: what is known of newer releases applies to it.
  bool is_pytorch = false;
};

struct SubjectOptions {
  std::chrono::milliseconds timeout{30'000};
  /// Areas in which a subject must answer everything.
  std::vector<std::string> required_areas;
  /// What a third-party subject may leave unanswered.
  std::vector<SupportEntry> support;
  /// Whether to use a separate process; by default, all subjects except the reference do.
  std::optional<bool> isolate;
  /// If set, an absent device is not an error: the process exits with 77 if all else is well.
  bool allow_absent = false;
  /// The interpreter for `torch`; default: ASSAY_PYTHON, or python3.
  std::optional<std::string> python;
  /// The program of the mutants; by default the one beside this program.
  std::string mutants = {};
};

/// `reference`, `mutant:<fault>`, `cuda`, `cuda_on_cpu`, `torch`, `libtorch`, the path of a shared
/// library, or a command line. Throws DeviceAbsent for `cuda` without a device, and UsageError with
/// the known subjects if `text` is none of these.
ConnectedSubject connect(const std::string& text, const SubjectOptions& options);

/// Like `connect`, for running `jobs` cases in parallel, each with a subject of its own. Throws
/// UsageError if the subject must stay in this process and there can be only one.
ConnectedSubject connect_for_jobs(const std::string& text, SubjectOptions options, int jobs);

/// The second build of the fault's subject, with that fault enabled.
ConnectedSubject connect_mutant(const Fault& fault, const SubjectOptions& options);
/// The second build of `subject`, without a fault.
ConnectedSubject connect_without_fault(const std::string& subject, const SubjectOptions& options);

/// True if this project has a support list for the subject, so that the user need not supply one.
bool has_own_support(const std::string& text);

/// Built-in names, for lists and suggestions: `reference`, `cuda`, `cuda_on_cpu`, `torch`,
/// `libtorch`, `mutant:…`.
std::vector<std::string> subject_names();

/// These names with a description each; mutants share one line.
std::vector<std::pair<std::string, std::string>> known_subjects();

/// The path of `assay-mutant`: next to the running program; installations have none.
std::string mutant_program();

/// Connects in this process, to a subject of `assay serve` or a shared library. Throws UsageError,
/// and like connect_plugin.
std::unique_ptr<Link> connect_here(const std::string& text);

/// True if `program`, a path or a name, can be started.
bool is_program_in_path(const std::string& program);

/// True if the name is that of a shared library.
bool is_plugin(const std::string& text);

/// Splits like a shell: spaces, single and double quotes, backslashes. Throws UsageError for an
/// unclosed quote.
std::vector<std::string> split_words(const std::string& text);

}  // namespace assay
