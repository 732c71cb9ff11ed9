// Converts facts to findings.
#include "harness/doctor/diagnosis.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/text/width.hpp"

namespace assay {
namespace {

using Kind = Finding::Kind;

Finding tool(const char* what, const std::optional<std::string>& version, const char* otherwise,
             const char* mend) {
  if (version) return {Kind::kThere, what, *version, ""};
  return {Kind::kMissing, what, otherwise, mend};
}

Finding torch_of(const Facts& facts) {
  if (facts.torch) {
    return {Kind::kThere, "torch",
            fmt::format("PyTorch {}, by {}; `--subject torch` uses it", *facts.torch,
                        facts.torch_python),
            ""};
  }
  return {
      Kind::kMissing, "torch",
      fmt::format("{} cannot import PyTorch; only `--subject torch` needs it", facts.torch_python),
      fmt::format("{} -m pip install torch, or name another Python by --python or ASSAY_PYTHON",
                  facts.torch_python)};
}

/// A program that a build makes only if a package is present, which may have been installed since.
Finding built(const char* what, bool is_built, const std::string& there,
              const std::optional<std::string>& package, const char* package_name,
              const char* mend) {
  if (is_built) return {Kind::kThere, what, there, ""};
  if (package) {
    return {Kind::kMissing, what,
            fmt::format("not built, though {} is there now: {}", package_name, *package),
            "build again; if it was installed after cmake was last run, run cmake --fresh first"};
  }
  return {Kind::kMissing, what, fmt::format("not built, and there is no {}", package_name), mend};
}

Finding gpu_of(const Facts& facts) {
  const bool module = facts.has_driver_module, library = facts.has_driver_library;
  if (!module && !library) return {Kind::kMissing, "GPU", "no NVIDIA driver is installed", ""};
  if (!module) {
    return {Kind::kWrong, "GPU", "libcuda.so.1 is there, but the kernel driver is not loaded",
            "nvidia-modprobe, as root"};
  }
  if (!library) {
    return {Kind::kWrong, "GPU", "the kernel driver is loaded, but libcuda.so.1 is missing",
            "install the libraries of the same driver version"};
  }
  if (facts.gpus) return {Kind::kThere, "GPU", *facts.gpus, ""};
  return {Kind::kWrong, "GPU", "a driver is loaded, but nvidia-smi does not answer", "nvidia-smi"};
}

Finding cuda_of(const Facts& facts) {
  if (!facts.has_cuda) {
    return {Kind::kMissing, "cuda",
            facts.nvcc ? "not built, though nvcc is there: " + *facts.nvcc
                       : "not built, and there is no nvcc",
            "scripts/run --cuda"};
  }
  return {facts.has_device ? Kind::kThere : Kind::kMissing, "cuda", facts.device, ""};
}

Finding disk_of(const Facts& facts) {
  constexpr std::uint64_t kLittle = 1u << 30;
  const double gigabytes = static_cast<double>(facts.free_bytes) / 1e9;
  const std::string text = fmt::format("{:.1f} GB free in {}", gigabytes, facts.free_at);
  if (facts.free_bytes >= kLittle) return {Kind::kThere, "disk", text, ""};
  return {Kind::kWrong, "disk", text + "; journals and records may not fit",
          "TMPDIR=<a folder with room>"};
}

const char* word_of_kind(Kind kind) {
  switch (kind) {
    case Kind::kThere:
      return "ok";
    case Kind::kMissing:
      return "missing";
    case Kind::kNoisy:
      return "noisy";
    case Kind::kWrong:
      break;
  }
  return "WRONG";
}

}  // namespace

std::vector<Finding> diagnose(const Facts& facts) {
  return {
      disk_of(facts),
      tool("compiler", facts.compiler, "there is no c++ in PATH", "scripts/setup"),
      tool("cmake", facts.cmake, "there is no cmake in PATH", "scripts/setup"),
      tool("ninja", facts.ninja, "there is no ninja in PATH", "scripts/setup"),
      tool("ccache", facts.ccache, "there is no ccache in PATH; rebuilds take longer without it",
           "apt-get install ccache"),
      tool("python", facts.python, "there is no python3 in PATH", "scripts/setup"),
      torch_of(facts),
      built("libtorch", facts.has_libtorch_plugin,
            "its plugin is there; `--subject libtorch` and `assay bench` use it", facts.libtorch,
            "libtorch", "apt-get install libtorch-dev, and build again"),
      tool("nvcc", facts.nvcc,
           "not in PATH, CUDA_HOME, /usr/local/cuda or the build folder; only the subject cuda "
           "needs "
           "it",
           "scripts/run --cuda"),
      gpu_of(facts),
      cuda_of(facts),
      built("on_cpu", facts.has_cuda_on_cpu,
            "assay-cuda-on-cpu is there; `--subject cuda_on_cpu` uses it", facts.cuda_headers,
            "CUDA", "scripts/run, which installs them"),
      tool("mutants",
           facts.has_mutants
               ? std::optional<std::string>("assay-mutant is there; `--subject mutant:…` uses it")
               : std::nullopt,
           "there is no assay-mutant beside this program",
           "ninja assay-mutant in the build folder"),
  };
}

std::string to_text(const std::vector<Finding>& findings, std::size_t columns) {
  constexpr std::size_t kIndent = 20;
  std::string text;
  for (const Finding& finding : findings) {
    std::string row = wrapped(finding.sentence, kIndent, columns, 6);
    text += row.replace(
        0, kIndent,
        fmt::format("{:<8} {:<{}}", word_of_kind(finding.kind), finding.what, kIndent - 9));
    if (!finding.mend.empty()) text += wrapped("to fix: " + finding.mend, kIndent, columns, 6);
  }
  return text;
}

std::string last_line(const std::vector<Finding>& findings) {
  const auto count = [&](Kind kind) { return std::ranges::count(findings, kind, &Finding::kind); };
  std::string line =
      fmt::format("{} found, {} missing", count(Kind::kThere), count(Kind::kMissing));
  if (const auto wrong = count(Kind::kWrong); wrong > 0) line += fmt::format(", {} wrong", wrong);
  if (const auto noisy = count(Kind::kNoisy); noisy > 0) line += fmt::format(", {} noisy", noisy);
  return line + "\n";
}

}  // namespace assay
