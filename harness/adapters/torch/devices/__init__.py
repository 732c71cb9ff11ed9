"""Devices other than the CPU: those of any backend, and simulated ones."""
