// Keeps the mistake of PyTorch that a case saw, for the runner.
#include "harness/suite/mistake.hpp"

#include <utility>

namespace assay {
namespace {

thread_local std::string seen;

}  // namespace

void shows_mistake(std::string sentence) { seen = std::move(sentence); }

std::string take_mistake() { return std::exchange(seen, {}); }

}  // namespace assay
