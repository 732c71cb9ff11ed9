// The card of a failure: all that is needed to understand and repeat it, in at most 100 columns.
#pragma once

#include <string>
#include <string_view>

#include "harness/suite/outcome.hpp"

namespace assay {

struct CardOptions {
  std::string subject;  ///< as typed after --subject
  bool colours = false;
  /// How many of the last exchanges are shown.
  std::size_t exchanges = 4;
};

/// Many lines, each ending in a line break.
std::string card(const CaseResult& result, const CardOptions& options);

/// The line that repeats the case: `assay replay … --subject … --release …`, with this program as
/// the user can call it. For `torch` it names the Python of ASSAY_PYTHON.
std::string replay_line(const CaseResult& result, std::string_view subject);

/// Breaks `text` at spaces (or where it must) into lines of at most `width` columns, each behind
/// `indent` spaces; after `most` lines it is cut with `…`.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t width, std::size_t most);

}  // namespace assay
