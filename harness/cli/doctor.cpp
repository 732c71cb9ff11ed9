// assay doctor: what is on this machine, a sentence each.
#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>

#include "harness/cli/commands.hpp"
#include "harness/cli/cuda_subjects.hpp"
#include "harness/cli/subjects.hpp"
#include "harness/cli/terminal.hpp"
#include "harness/cli/torch_subject.hpp"
#include "harness/report/record.hpp"
#include "harness/suite/cases.hpp"
#include "harness/suite/clauses.hpp"
#include "harness/suite/faults.hpp"
#include "harness/suite/shell_words.hpp"

namespace assay::cli {
namespace {

/// The first line that a shell command prints; nothing when it fails.
std::optional<std::string> first_line(const std::string& shell_command) {
  const auto close = [](std::FILE* stream) { return pclose(stream); };
  const std::string quiet = shell_command + " 2>/dev/null";
  std::unique_ptr<std::FILE, decltype(close)> stream(popen(quiet.c_str(), "r"), close);
  if (stream == nullptr) return std::nullopt;
  std::array<char, 512> buffer{};
  std::string text;
  while (std::fgets(buffer.data(), buffer.size(), stream.get()) != nullptr) text += buffer.data();
  if (pclose(stream.release()) != 0) return std::nullopt;
  return text.substr(0, text.find('\n'));
}

std::string found(std::string_view what, const std::string& shell_command,
                  std::string_view otherwise) {
  const auto line = first_line(shell_command);
  return fmt::format("{:<9} {}\n", what, line ? *line : otherwise);
}

std::string driver_line() {
  const bool loaded = std::filesystem::exists("/proc/driver/nvidia/version");
  void* library = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
  if (library != nullptr) dlclose(library);
  if (!loaded && library == nullptr) return "GPU       no NVIDIA driver is installed\n";
  if (!loaded) return "GPU       libcuda.so.1 is there, but the kernel driver is not loaded\n";
  if (library == nullptr)
    return "GPU       the kernel driver is loaded, but libcuda.so.1 is missing\n";
  return found("GPU", "nvidia-smi --query-gpu=name,driver_version --format=csv,noheader",
               "a driver is loaded, but nvidia-smi does not answer");
}

std::string build_lines() {
  const report::Environment here = report::this_environment();
  const bool has_mutant = std::filesystem::exists(mutant_program());
  return fmt::format("assay     {}, commit {}{}, built as {} with {}\n", here.version,
                     here.revision, here.dirty ? " with changes" : "", here.build_type,
                     here.compiler) +
         fmt::format("suites    {} cases, {} clauses, {} faults are compiled in\n",
                     all_cases().size(), all_clauses().size(), all_faults().size()) +
         fmt::format("mutants   assay-mutant {} beside this program\n",
                     has_mutant ? "lies" : "does NOT lie") +
         fmt::format("machine   {}, {} cores, {}\n", here.cpu, here.cores, here.kernel);
}

/// What `--subject torch` would run.
std::string torch_line() {
  const std::string python = torch_interpreter({});
  const auto version =
      first_line(shell_word(python) + " -c 'import torch; print(torch.__version__)'");
  if (version)
    return fmt::format("torch     {}, by {}; `--subject torch` asks it\n", *version, python);
  return fmt::format(
      "torch     {} cannot import it; only `--subject torch` needs it (ASSAY_PYTHON names "
      "another)\n",
      python);
}

/// What `--subject cuda` and `--subject cuda_on_cpu` would run.
std::string cuda_lines() {
  const CudaFindings found = look_for_cuda();
  return fmt::format("cuda      {}\n", found.device) + fmt::format("on_cpu    {}\n", found.on_cpu);
}

int examine() {
  print(build_lines());
  print(found("compiler", "c++ --version", "there is no c++ in PATH"));
  print(found("cmake", "cmake --version", "there is no cmake in PATH"));
  print(found("python", "python3 --version", "there is no python3 in PATH"));
  print(torch_line());
  print(found("nvcc", "nvcc --version | grep release",
              "there is no nvcc in PATH; only the subjects cuda and cuda_on_cpu need it"));
  print(driver_line());
  print(cuda_lines());
  return 0;
}

}  // namespace

void add_doctor(CliCommand app, Invocation& invocation) {
  CliCommand command = app.add_subcommand("doctor", "Say what is on this machine");
  command.footer("Example: assay doctor");
  command.callback([&invocation] { invocation.exit_code = examine(); });
}

}  // namespace assay::cli
