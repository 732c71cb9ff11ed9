// The commands of the area autograd.
#include "harness/suite/clients/autograd.hpp"

namespace assay {

AutogradClient Session::autograd() { return AutogradClient(*this); }

}  // namespace assay
