// Finds and queries the programs of the CUDA implementation.
#include "harness/subjects/cuda.hpp"

#include <fmt/format.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <filesystem>

#include "harness/console/usage_error.hpp"
#include "harness/subjects/companion.hpp"
#include "harness/suite/card/command_line.hpp"

namespace assay {
namespace {

std::filesystem::path program_of(const std::string& subject) {
  return companion(subject == "cuda" ? "assay-cuda" : "assay-cuda-on-cpu");
}

std::string why_not_built(const std::string& subject) {
  return fmt::format("the subject '{}' was not built: there is no {} beside this program ({})",
                     subject, program_of(subject).filename().string(),
                     subject == "cuda"
                         ? "scripts/run --cuda builds it, and installs nvcc if it is missing"
                         : "scripts/run builds it");
}

struct Answer {
  std::string line;
  int status = -1;
};

/// The output of `assay-cuda --devices`.
Answer ask_for_devices(const std::string& program) {
  std::FILE* const stream = popen((shell_word(program) + " --devices 2>&1").c_str(), "r");
  if (stream == nullptr) return {.line = "cannot start " + program};
  Answer answer;
  std::array<char, 1024> buffer{};
  while (std::fgets(buffer.data(), buffer.size(), stream) != nullptr) answer.line += buffer.data();
  const int ended = pclose(stream);
  answer.status = WIFEXITED(ended) ? WEXITSTATUS(ended) : -1;
  answer.line = answer.line.substr(0, answer.line.find('\n'));
  return answer;
}

}  // namespace

std::string cuda_program_without_kernels() {
  const std::filesystem::path program = companion("assay-cuda-on-nothing");
  return std::filesystem::exists(program) ? program.string() : std::string();
}

std::string cuda_program(const std::string& subject) {
  const std::filesystem::path program = program_of(subject);
  if (!std::filesystem::exists(program)) throw UsageError(why_not_built(subject));
  return program.string();
}

void require_cuda_device(bool may_be_absent) {
  const Answer answer = ask_for_devices(cuda_program("cuda"));
  if (answer.status == 0) return;
  throw DeviceAbsent(fmt::format("the subject 'cuda' needs a device. {}", answer.line),
                     may_be_absent);
}

CudaFindings look_for_cuda() {
  CudaFindings found;
  if (std::filesystem::exists(program_of("cuda"))) {
    const Answer answer = ask_for_devices(program_of("cuda").string());
    found.device = answer.line;
    found.has_device = answer.status == 0;
  } else {
    found.device = why_not_built("cuda");
  }
  found.can_run_on_cpu = std::filesystem::exists(program_of("cuda_on_cpu"));
  found.on_cpu = found.can_run_on_cpu
                     ? "assay-cuda-on-cpu is beside this program; `--subject cuda_on_cpu` uses it"
                     : why_not_built("cuda_on_cpu");
  return found;
}

}  // namespace assay
