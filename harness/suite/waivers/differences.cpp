// Finds the known differences of a release, and describes them.
#include "harness/suite/waivers/differences.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <stdexcept>

#include "harness/suite/faults.hpp"

namespace assay {
namespace {

constexpr std::string_view kFile = "waivers/pytorch.toml";

/// The contract's own release: 2.11 of 2.11/cuda/compat.
TorchRelease release_of(const Contract& contract) {
  return torch_release(name_of(contract.release)).value();
}

std::string about_newer(std::string_view version, TorchRelease release, const Contract& contract,
                        bool applied) {
  const std::string head = fmt::format("PyTorch {} is newer than the newest contract, {}", version,
                                       name_of(contract.release));
  const std::size_t known = known_differences(release).size();
  if (known == 0) {
    return head + "; its differences are not known, so a failure can be a change of PyTorch";
  }
  return fmt::format("{}; {} known differences of {} are {} (`assay waivers known {}` lists them)",
                     head, known, to_text(release), applied ? "waived" : "not waived",
                     to_text(release));
}

}  // namespace

std::optional<TorchRelease> torch_release(std::string_view version) {
  TorchRelease release;
  const char* const end = version.data() + version.size();
  const auto major = std::from_chars(version.data(), end, release.major);
  if (major.ec != std::errc{} || major.ptr == end || *major.ptr != '.') return std::nullopt;
  const auto minor = std::from_chars(major.ptr + 1, end, release.minor);
  if (minor.ec != std::errc{}) return std::nullopt;
  return release;
}

std::string to_text(TorchRelease release) {
  return fmt::format("{}.{}", release.major, release.minor);
}

const std::vector<KnownDifference>& all_differences() {
  static const std::vector<KnownDifference> all = [] {
    for (const EmbeddedFile& file : suite_data()) {
      if (file.name == kFile) return differences_from_toml(file.text, file.name);
    }
    throw std::logic_error(fmt::format("{} was not compiled in", kFile));
  }();
  return all;
}

std::vector<TorchRelease> releases_with_differences() {
  std::set<TorchRelease> releases;
  for (const KnownDifference& difference : all_differences()) {
    releases.insert(difference.torch.begin(), difference.torch.end());
  }
  return {releases.begin(), releases.end()};
}

std::vector<Waiver> known_differences(TorchRelease release) {
  std::vector<Waiver> known;
  for (const KnownDifference& difference : all_differences()) {
    if (std::ranges::find(difference.torch, release) == difference.torch.end()) continue;
    known.push_back(difference.waiver);
    known.back().known_of = "PyTorch " + to_text(release);
  }
  return known;
}

std::string about_release(std::string_view version, const Contract& contract, bool applied) {
  const auto release = torch_release(version);
  if (!release || *release == release_of(contract)) return "";
  if (contract.release == Contract{}.release) {  // the newest
    return about_newer(version, *release, contract, applied);
  }
  return fmt::format("PyTorch {} is judged as {}, the newest contract that is not newer than it",
                     version, name_of(contract.release));
}

}  // namespace assay
