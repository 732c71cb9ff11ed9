// Streams, events, guards: from typed arguments, typed results from replies.
#include "harness/suite/clients/runtime.hpp"

namespace assay {

RuntimeClient Session::runtime() { return RuntimeClient(*this); }

}  // namespace assay
