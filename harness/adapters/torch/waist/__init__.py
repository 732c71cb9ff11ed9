"""The protocol: commands and replies, values, blocks, and the processes that serve them."""
