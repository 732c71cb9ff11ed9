// The commands of the area autocast.
#include "harness/suite/clients/autocast.hpp"

namespace assay {

AutocastClient Session::autocast() { return AutocastClient(*this); }

}  // namespace assay
