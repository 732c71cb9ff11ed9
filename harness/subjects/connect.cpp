// Creates connections to subjects.
#include "harness/subjects/connect.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <utility>

#include "harness/console/folders.hpp"
#include "harness/console/nearest.hpp"
#include "harness/console/usage_error.hpp"
#include "harness/subjects/built_in.hpp"
#include "harness/subjects/companion.hpp"
#include "harness/subjects/cuda.hpp"
#include "harness/subjects/libtorch.hpp"
#include "harness/subjects/torch.hpp"
#include "harness/suite/faults.hpp"

namespace assay {
namespace {

/// Limits memory: parsing a reply takes many times its size, and no valid reply is nearly as long.
constexpr std::size_t kMostReplyBytes = std::size_t{8} << 20;
constexpr std::string_view kMutantPrefix = "mutant:";

std::vector<SupportEntry> listed_for(std::string_view subject) {
  const std::string name = fmt::format("support/{}.toml", subject);
  for (const EmbeddedFile& file : suite_data()) {
    if (file.name == name) return support_from_toml(file.text, file.name);
  }
  return {};
}

SupportPolicy foreign_support(const SubjectOptions& options, std::string_view listed) {
  std::vector<SupportEntry> entries = options.support;
  for (SupportEntry& entry : listed_for(listed)) entries.push_back(std::move(entry));
  return SupportPolicy::foreign(options.required_areas, std::move(entries));
}

/// Of a subject that may be older than the newest arguments of commands.
SupportPolicy foreign_support(const SubjectOptions& options) {
  std::vector<SupportEntry> entries = options.support;
  for (SupportEntry& entry : listed_for("new")) {
    entry.may_idle = true;
    entries.push_back(std::move(entry));
  }
  return SupportPolicy::foreign(options.required_areas, std::move(entries));
}

SupportPolicy own_support(const SubjectOptions& options, std::vector<SupportEntry> listed) {
  return SupportPolicy::built_in(options.required_areas, std::move(listed));
}

/// The same code on a GPU and on the CPU may leave the same things unsupported, apart from features
/// that GPUs lack.
std::vector<SupportEntry> listed_for_cuda(bool is_on_gpu) {
  std::vector<SupportEntry> entries = listed_for("cuda_on_cpu");
  if (!is_on_gpu) return entries;
  for (SupportEntry& entry : listed_for("cuda")) entries.push_back(std::move(entry));
  return entries;
}

[[noreturn]] void unknown(const std::string& text) {
  throw UsageError(fmt::format(
      "unknown subject '{}'{}\n"
      "  subjects: reference; cuda; cuda_on_cpu; mutant:<fault> (`assay list faults` names {}); "
      "torch, also with options, \"torch --device cuda\", "
      "\"torch --device npu --import torch_npu\" or \"torch --simulated\"; libtorch; "
      "the path of a shared library; a command line such as \"python3 mine.py\"",
      text, suggestion(text, subject_names()), all_faults().size()));
}

[[noreturn]] void cannot_start(const std::string& text, const std::string& why) {
  throw UsageError(fmt::format("cannot start the subject '{}': {}", text, why));
}

/// True if the text is a path rather than a name.
bool is_path(const std::string& text) {
  return text.find('/') != std::string::npos || text.ends_with(".so") || text.ends_with(".py");
}

bool is_executable(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored) && access(path.c_str(), X_OK) == 0;
}

/// The path of a program as a shell finds it; empty if there is none.
std::string program_in_path(const std::string& program) {
  if (program.find('/') != std::string::npos) return is_executable(program) ? program : "";
  const char* path = std::getenv("PATH");
  const std::string folders = path == nullptr ? "/usr/bin:/bin" : path;
  for (std::size_t at = 0; at <= folders.size();) {
    const std::size_t end = std::min(folders.find(':', at), folders.size());
    const auto file = std::filesystem::path(folders.substr(at, end - at)) / program;
    if (is_executable(file)) return file.string();
    at = end + 1;
  }
  return "";
}

/// True for a program that runs what its arguments say.
bool is_interpreter(const std::string& program) {
  const std::string name = std::filesystem::path(program).filename().string();
  const std::array exact = {"env", "sh", "bash", "dash", "zsh", "node", "ruby", "perl", "java"};
  return name.starts_with("python") || name.starts_with("pypy") ||
         std::ranges::find(exact, name) != exact.end();
}

/// The modules of a folder that Python runs (`python3 -B my_folder`).
std::vector<std::string> modules_in(const std::filesystem::path& folder) {
  std::error_code ignored;
  std::vector<std::string> modules;
  if (!std::filesystem::exists(folder / "__main__.py", ignored)) return modules;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder, ignored)) {
    if (entry.path().extension() == ".py") modules.push_back(entry.path().string());
  }
  std::ranges::sort(modules);
  return modules;
}

/// The program, its first argument that is a file (`python3 -B mine.py`), and the programs,
/// libraries and scripts among the others, which may also be data that a run changes.
std::vector<std::string> files_of(const std::string& program,
                                  const std::vector<std::string>& argv) {
  std::vector<std::string> files{program};
  for (std::size_t i = 1; i < argv.size(); ++i) {
    std::error_code ignored;
    const std::vector<std::string> modules = modules_in(argv[i]);
    files.insert(files.end(), modules.begin(), modules.end());
    if (!std::filesystem::is_regular_file(argv[i], ignored)) continue;
    const bool is_code = is_plugin(argv[i]) || argv[i].ends_with(".py") || is_executable(argv[i]);
    if (files.size() == 1 || is_code) files.push_back(argv[i]);
  }
  return files;
}

ConnectedSubject process(const std::string& text, std::vector<std::string> argv,
                         const SubjectOptions& options) {
  if (argv.empty()) unknown(text);
  const std::string program = program_in_path(argv[0]);
  if (program.empty()) cannot_start(text, "there is no program '" + argv[0] + "'");
  std::vector<std::string> files = files_of(program, argv);
  ProcessOptions process_options;
  process_options.argv = std::move(argv);
  process_options.timeout = options.timeout;
  process_options.most_line_bytes = kMostReplyBytes;
  const auto open = [process_options] { return connect_process(process_options); };
  const bool is_told = std::ranges::all_of(files, is_interpreter);
  return {text, open(),          foreign_support(options), std::nullopt,
          open, options.timeout, std::move(files),         !is_told};
}

/// Real PyTorch, with the list of what it cannot observe.
ConnectedSubject judge(const std::string& text, std::vector<std::string> argv,
                       std::string_view listed, const SubjectOptions& options) {
  const bool is_generic = is_torch(text) && asks_accelerator(argv);
  ConnectedSubject subject = process(text, std::move(argv), options);
  SubjectOptions with_generic = options;
  if (is_generic)
    std::ranges::copy(listed_for("accelerator"), std::back_inserter(with_generic.support));
  subject.support = foreign_support(with_generic, listed);
  subject.is_pytorch = true;
  return subject;
}

/// The CUDA implementation, which is a separate program because not every machine can compile it.
ConnectedSubject cuda(const std::string& text, const SubjectOptions& options) {
  if (text == "cuda") require_cuda_device(options.allow_absent);
  constexpr int kSimulationTakes = 4;
  SubjectOptions own = options;
  if (text == "cuda_on_cpu") own.timeout *= kSimulationTakes;
  ConnectedSubject subject = process(text, {cuda_program(text)}, own);
  subject.support = own_support(options, listed_for_cuda(text == "cuda"));
  return subject;
}

/// A built-in subject or a shared library: in this process, or in a child that serves it.
ConnectedSubject serveable(const std::string& text, bool isolated, const SubjectOptions& options) {
  std::vector<std::string> files;  // the same for both, so that either continues the other's run
  if (is_plugin(text)) files.push_back(text);
  if (isolated) {
    ConnectedSubject subject = process(text, {this_program().string(), "serve", text}, options);
    subject.files = std::move(files);
    return subject;
  }
  return {text,    connect_here(text), foreign_support(options), std::nullopt,
          nullptr, options.timeout,    std::move(files)};
}

ConnectedSubject reference(const std::string& text, const SubjectOptions& options) {
  ConnectedSubject subject = serveable(text, options.isolate.value_or(false), options);
  subject.support = own_support(options, listed_for("reference"));
  return subject;
}

/// The subject's program with faults, started with `argument`.
ConnectedSubject second_build(const std::string& subject, const std::string& argument,
                              const SubjectOptions& options) {
  const std::string text = std::string(kMutantPrefix) + argument;
  std::string program = options.mutants;
  if (program.empty()) {
    program =
        subject == "reference" ? mutant_program() : companion("assay-cuda-on-cpu-mutant").string();
  }
  if (!is_executable(program)) {
    cannot_start(text, fmt::format("there is no {0} beside this program; `cmake --build build "
                                   "--target {0}` builds it, and an installation has none",
                                   std::filesystem::path(program).filename().string()));
  }
  ConnectedSubject connected = process(text, {program, argument}, options);
  connected.support = own_support(options, listed_for(subject));
  return connected;
}

ConnectedSubject mutant(const std::string& text, const SubjectOptions& options) {
  const Fault* fault = find_fault(text.substr(kMutantPrefix.size()));
  if (fault == nullptr) unknown(text);
  return connect_mutant(*fault, options);
}

ConnectedSubject connected(const std::string& text, const SubjectOptions& options) {
  if (text == "reference") return reference(text, options);
  if (text.starts_with(kMutantPrefix)) return mutant(text, options);
  if (text == "cuda" || text == "cuda_on_cpu") return cuda(text, options);
  if (text == "libtorch") return judge(text, {libtorch_program()}, "libtorch", options);
  if (is_torch(text)) {
    return judge(text, torch_command(text, options.python), "torch", options);
  }
  if (!is_there(text)) {
    if (text.find(' ') != std::string::npos) return process(text, split_words(text), options);
    if (is_path(text)) cannot_start(text, "there is no such file");
    unknown(text);
  }
  if (is_plugin(text)) return serveable(text, options.isolate.value_or(true), options);
  if (!is_executable(text)) {
    cannot_start(
        text,
        "it is neither a shared library nor executable" +
            std::string(text.ends_with(".py") ? "; \"python3 " + text + "\" would run it" : ""));
  }
  return process(text, {text.find('/') == std::string::npos ? "./" + text : text}, options);
}

}  // namespace

ConnectedSubject connect(const std::string& text, const SubjectOptions& options) {
  try {
    return connected(text, options);
  } catch (const LinkBroken& broken) {
    cannot_start(text, broken.what());
  }
}

ConnectedSubject connect_for_jobs(const std::string& text, SubjectOptions options, int jobs) {
  if (jobs > 1 && !options.isolate) options.isolate = true;
  ConnectedSubject subject = connect(text, options);
  if (jobs == 1 || subject.open) return subject;
  throw UsageError(fmt::format(
      "-j {} runs several subjects '{}' at once, but --no-isolate permits only one in this process",
      jobs, text));
}

ConnectedSubject connect_mutant(const Fault& fault, const SubjectOptions& options) {
  ConnectedSubject subject = second_build(fault.subject, fault.name, options);
  subject.preferred = fault.contract;
  return subject;
}

ConnectedSubject connect_without_fault(const std::string& subject, const SubjectOptions& options) {
  return second_build(subject, std::string(kNoFault), options);
}

bool has_own_support(const std::string& text) {
  return text == "reference" || text == "cuda" || text == "cuda_on_cpu" ||
         text.starts_with(kMutantPrefix);
}

std::vector<std::string> subject_names() {
  std::vector<std::string> names{"reference", "cuda", "cuda_on_cpu", "torch", "libtorch"};
  for (const Fault& fault : all_faults()) names.push_back(std::string(kMutantPrefix) + fault.name);
  return names;
}

std::vector<std::pair<std::string, std::string>> known_subjects() {
  return {{"reference", "the runtime in plain C++, in this process"},
          {"cuda", "the CUDA implementation on a GPU"},
          {"cuda_on_cpu", "the CUDA implementation, its kernels run by the CPU"},
          {"torch", "an installed PyTorch; also \"torch --device cuda\", \"torch --simulated\""},
          {"libtorch", "PyTorch's C++ library, where it was found when this was built"},
          {std::string(kMutantPrefix) + "<fault>",
           fmt::format("the reference or the CUDA implementation with one of {} faults "
                       "(`assay list faults`)",
                       all_faults().size())}};
}

std::string mutant_program() { return companion("assay-mutant").string(); }

bool is_plugin(const std::string& text) {
  return text.ends_with(".so") || text.find(".so.") != std::string::npos;
}

bool is_program_in_path(const std::string& program) { return !program_in_path(program).empty(); }

std::unique_ptr<Link> connect_here(const std::string& text) {
  if (text == "reference") return connect_in_process(&make_reference);
  return connect_plugin(text);
}

std::vector<std::string> split_words(const std::string& text) {
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' && quote != '\'' && i + 1 < text.size()) {
      word += text[++i];
      in_word = true;
    } else if (quote != 0) {
      if (c == quote)
        quote = 0;
      else
        word += c;
    } else if (c == '\'' || c == '"') {
      quote = c;
      in_word = true;
    } else if (c != ' ' && c != '\t') {
      word += c;
      in_word = true;
    } else if (in_word) {
      words.push_back(std::exchange(word, {}));
      in_word = false;
    }
  }
  if (quote != 0) throw UsageError(fmt::format("the subject '{}' has an open quote", text));
  if (in_word) words.push_back(word);
  return words;
}

}  // namespace assay
