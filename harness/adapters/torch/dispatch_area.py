"""Area dispatch: the commands of its parts."""

import asking
import calls
import dispatch_keys
import registrations

COMMANDS = {**dispatch_keys.COMMANDS, **registrations.COMMANDS, **calls.COMMANDS, **asking.COMMANDS}
