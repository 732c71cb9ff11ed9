// The card of a failure: all that is needed to understand and repeat it.
#pragma once

#include <string>
#include <string_view>

#include "harness/suite/runner/outcome.hpp"
#include "harness/text/wrapped.hpp"

namespace assay {

struct CardOptions {
  std::string subject;  ///< as typed after --subject
  bool colours = false;
  /// How many of the last exchanges are shown.
  std::size_t exchanges = 4;
  /// Width of its lines; the line that repeats the case is as long as it is.
  std::size_t columns = 100;
};

/// Many lines, each ending in a line break.
std::string card(const CaseResult& result, const CardOptions& options);

/// The line that repeats the case: `assay replay … --subject … --release …`, with this program as
/// the user can call it. For `torch` it names the Python of ASSAY_PYTHON.
std::string replay_line(const CaseResult& result, std::string_view subject);

}  // namespace assay
