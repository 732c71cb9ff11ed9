// Controls of the simulated machine: from typed arguments, typed results from replies.
#include "harness/suite/clients/sim.hpp"

namespace assay {

SimClient Session::sim() { return SimClient(*this); }

}  // namespace assay
