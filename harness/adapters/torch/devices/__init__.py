"""Devices that are not the CPU: any backend's, and simulated ones."""
