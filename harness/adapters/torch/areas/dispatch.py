"""Area dispatch: collects the commands of its parts."""

from dispatcher import calls, key_commands, queries, registrations

COMMANDS = {**key_commands.COMMANDS, **registrations.COMMANDS, **calls.COMMANDS, **queries.COMMANDS}
