// The card of a failure: everything needed to understand and repeat it.
#pragma once

#include <string>
#include <string_view>

#include "harness/suite/runner/outcome.hpp"
#include "harness/text/width.hpp"

namespace assay {

struct CardOptions {
  std::string subject;  ///< as typed after --subject
  bool colours = false;
  /// The number of exchanges shown, counted from the last.
  std::size_t exchanges = 4;
  /// The width of the card; the line that repeats the case is not wrapped.
  std::size_t columns = 100;
};

/// Several lines, each with a line break.
std::string card(const CaseResult& result, const CardOptions& options);

/// The command line that repeats the case: `assay replay … --subject … --release …`, with the name
/// by which the user can call this program. For `torch` it includes ASSAY_PYTHON.
std::string replay_line(const CaseResult& result, std::string_view subject);

}  // namespace assay
