// The commands of the area module.
#include "harness/suite/clients/module.hpp"

namespace assay {

ModuleClient Session::modules() { return ModuleClient(*this); }

}  // namespace assay
