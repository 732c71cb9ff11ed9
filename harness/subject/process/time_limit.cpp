// Sets time limits on links that support them.
#include "harness/subject/process/time_limit.hpp"

namespace assay {

void end_early_on(Link& link, const StopSignal* stop) {
  if (auto* limit = dynamic_cast<TimeLimit*>(&link)) limit->end_early_on(stop);
}

}  // namespace assay
