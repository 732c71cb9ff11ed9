"""Area runtime: collects the commands of its parts."""

from areas import runtime_events, runtime_streams, runtime_work

COMMANDS = {**runtime_streams.COMMANDS, **runtime_events.COMMANDS, **runtime_work.COMMANDS}
