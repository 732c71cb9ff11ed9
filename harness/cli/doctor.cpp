// assay doctor: shows what is present on this machine.
#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>

#include "harness/cli/commands.hpp"
#include "harness/console/terminal.hpp"
#include "harness/doctor/diagnosis.hpp"
#include "harness/doctor/noise.hpp"
#include "harness/report/record.hpp"
#include "harness/subjects/companion.hpp"
#include "harness/subjects/connect.hpp"
#include "harness/subjects/cuda.hpp"
#include "harness/subjects/libtorch.hpp"
#include "harness/subjects/torch.hpp"
#include "harness/suite/card/command_line.hpp"
#include "harness/suite/cases.hpp"
#include "harness/suite/clauses.hpp"
#include "harness/suite/faults.hpp"
#include "harness/suite/runner/verdict.hpp"

namespace assay::cli {
namespace {

namespace fs = std::filesystem;

/// The first line that a shell command prints; nothing if it fails or prints nothing.
std::optional<std::string> first_line(const std::string& shell_command) {
  const auto close = [](std::FILE* stream) { return pclose(stream); };
  const std::string quiet = "{ " + shell_command + "; } 2>/dev/null";
  std::unique_ptr<std::FILE, decltype(close)> stream(popen(quiet.c_str(), "r"), close);
  if (stream == nullptr) return std::nullopt;
  std::array<char, 512> buffer{};
  std::string text;
  while (std::fgets(buffer.data(), buffer.size(), stream.get()) != nullptr) text += buffer.data();
  if (pclose(stream.release()) != 0 || text.empty()) return std::nullopt;
  return text.substr(0, text.find('\n'));
}

/// The first path that exists.
std::optional<fs::path> first_of(const std::vector<fs::path>& paths) {
  std::error_code ignored;
  for (const fs::path& path : paths) {
    if (fs::exists(path, ignored)) return path;
  }
  return std::nullopt;
}

/// Searches where a build does: in PATH, CUDA_HOME, the default place and the build folder.
std::optional<std::string> nvcc_now() {
  std::vector<fs::path> places;
  if (const auto in_path = first_line("command -v nvcc")) places.emplace_back(*in_path);
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
    const char* home = std::getenv(variable);
    if (home != nullptr && *home != '\0') places.push_back(fs::path(home) / "bin/nvcc");
  }
  places.emplace_back("/usr/local/cuda/bin/nvcc");
  places.push_back(this_program().parent_path().parent_path() / "cuda/nvidia/cu13/bin/nvcc");
  const auto nvcc = first_of(places);
  if (!nvcc) return std::nullopt;
  const auto release =
      first_line(shell_word(nvcc->string()) + " --version | grep -o 'release [0-9.]*'");
  return nvcc->string() + (release ? ", " + *release : ", which does not run");
}

/// Searches where a build does: in CUDA_HOME, the default place and the build folder.
std::optional<std::string> cuda_headers_now() {
  std::vector<fs::path> places;
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
    const char* home = std::getenv(variable);
    if (home != nullptr && *home != '\0') places.emplace_back(home);
  }
  const fs::path build = this_program().parent_path().parent_path();
  places.emplace_back("/usr/local/cuda");
  places.push_back(build / "cuda/nvidia/cu13");
  places.push_back(build / "cuda_headers/nvidia/cu13");
  for (fs::path& place : places) place /= "include/cuda_runtime_api.h";
  const auto header = first_of(places);
  return header ? std::optional(header->parent_path().string()) : std::nullopt;
}

std::optional<std::string> libtorch_now() {
  const auto header = first_of({"/usr/include/torch/csrc/api/include/torch/torch.h",
                                "/usr/local/include/torch/csrc/api/include/torch/torch.h",
                                "/usr/include/torch/script.h"});
  return header ? std::optional(header->string()) : std::nullopt;
}

void look_for_gpu(Facts& facts) {
  facts.has_driver_module = fs::exists("/proc/driver/nvidia/version");
  void* library = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
  facts.has_driver_library = library != nullptr;
  if (library != nullptr) dlclose(library);
  if (!facts.has_driver_module) return;
  facts.gpus = first_line("nvidia-smi --query-gpu=name,driver_version --format=csv,noheader");
}

/// Looks for programs beside this one.
void look_for_companions(Facts& facts) {
  const CudaFindings cuda = look_for_cuda();
  facts.has_cuda = fs::exists(companion("assay-cuda"));
  facts.has_device = cuda.has_device;
  facts.device = cuda.device;
  facts.has_cuda_on_cpu = cuda.can_run_on_cpu;
  facts.has_mutants = fs::exists(mutant_program());
  facts.has_libtorch_plugin = has_libtorch_plugin();
}

Facts facts_now() {
  Facts facts;
  facts.compiler = first_line("c++ --version");
  facts.cmake = first_line("cmake --version");
  facts.ninja = first_line("ninja --version");
  facts.ccache = first_line("ccache --version");
  facts.python = first_line("python3 --version");
  facts.torch_python = torch_interpreter({});
  // Python would also take ./torch.py of the current folder for it.
  facts.torch = first_line(shell_word(facts.torch_python) +
                           " -c 'import sys; sys.path = [folder for folder in sys.path if folder]; "
                           "import torch; print(torch.__version__)'");
  facts.nvcc = nvcc_now();
  facts.cuda_headers = cuda_headers_now();
  facts.libtorch = libtorch_now();
  look_for_gpu(facts);
  look_for_companions(facts);
  std::error_code ignored;
  const fs::path temporary = fs::temp_directory_path(ignored);
  facts.free_at = temporary.string();
  const fs::space_info space = fs::space(temporary, ignored);
  facts.free_bytes = ignored ? 0 : space.available;
  return facts;
}

std::string about_this_program() {
  const report::Environment here = report::this_environment();
  return fmt::format("assay {}, commit {}{}, built as {} with {}\n", here.version, here.revision,
                     here.dirty ? " with changes" : "", here.build_type, here.compiler) +
         fmt::format("{} cases, {} clauses, {} faults are compiled in\n", all_cases().size(),
                     all_clauses().size(), all_faults().size()) +
         fmt::format("{}, {} cores, {}\n\n", here.cpu, here.cores, here.kernel);
}

int examine() {
  print(about_this_program());
  std::vector<Finding> findings = diagnose(facts_now());
  std::vector<Finding> noise = noise_of(measure::this_machine(), measure::load_average());
  if (const auto nvml = measure::Nvml::open()) {
    const std::vector<Finding> of_gpus = noise_of(nvml->gpus());
    noise.insert(noise.end(), of_gpus.begin(), of_gpus.end());
  }
  print(to_text(findings, columns_of_terminal()) + "\nWhere times are taken:\n" +
        to_text(noise, columns_of_terminal()) + "\n");
  findings.insert(findings.end(), noise.begin(), noise.end());
  print(last_line(findings));
  return kExitOk;
}

}  // namespace

void add_doctor(CliCommand app, Invocation& invocation) {
  CliCommand command = app.add_subcommand(
      "doctor",
      "Show what this machine has, what is missing or makes times noisy, and how to fix it");
  command.footer("Example: assay doctor");
  command.callback([&invocation] { invocation.exit_code = examine(); });
}

}  // namespace assay::cli
