// The command table of the area autocast.
#include "reference/subject/autocast/commands.hpp"

#include "reference/core/types/device_text.hpp"

namespace assay::reference {

CastDevice device_argument(Call& call) {
  return device_from_text(call.arguments().text("device"), call.contract()).type;
}

void add_autocast_commands(CommandTable& table) {
  add_autocast_state_commands(table);
  add_autocast_piece_commands(table);
  add_autocast_region_commands(table);
}

}  // namespace assay::reference
