// What is kept of texts that a subject has made as long as it liked.
#pragma once

#include <cstddef>
#include <string>

#include "harness/suite/runner/outcome.hpp"

namespace assay {

/// `text` where it has no more than `most_bytes`; else its beginning, and how long it was.
std::string excerpt(std::string text, std::size_t most_bytes);

/// Bounds the result: the texts of the failure, each reply, and all replies together. A reply that
/// is too long keeps its id and its status, and the beginning of its text.
void shorten(CaseResult& result);

}  // namespace assay
