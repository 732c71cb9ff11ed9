// The commands of the area dispatch.
#include "harness/suite/clients/dispatch.hpp"

namespace assay {

DispatchClient Session::dispatch() { return DispatchClient(*this); }

}  // namespace assay
