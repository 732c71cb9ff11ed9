"""The waist's side: commands and replies, values, blocks, and the processes that serve them."""
