// Arguments of the autocast commands.
#include "reference/subject/autocast/commands.hpp"

#include "reference/core/types/device_text.hpp"

namespace assay::reference {

CastDevice device_argument(Call& call) {
  return device_from_text(call.arguments().text("device"), call.contract()).type;
}

}  // namespace assay::reference
