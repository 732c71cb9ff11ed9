#!/usr/bin/env python3
"""Says what kernels are compiled for by default, for scripts/cmake/cuda.cmake: `gpu_architectures.py NVCC` prints CMake's names.

For the GPUs of this machine where there are some that this nvcc knows; else PTX for 7.5, which every newer GPU's driver can
compile, and code for 9.0. With either comes PTX for 9.0, which scripts/check/kernels.py reads. The driver is asked, so nothing
but it need be installed.
"""

import ctypes
import re
import subprocess
import sys

WITHOUT_GPU = ["75-virtual", "90-real"]
READ = "90-virtual"
MAJOR, MINOR = 75, 76  # CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR and _MINOR


def attribute(driver, number, device):
    value = ctypes.c_int()
    return value.value if driver.cuDeviceGetAttribute(ctypes.byref(value), number, device) == 0 else 0


def gpus_here():
    """Compute capabilities in nvcc's form, such as 90; empty without a driver or a device."""
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return []
    count = ctypes.c_int()
    if driver.cuInit(0) != 0 or driver.cuDeviceGetCount(ctypes.byref(count)) != 0:
        return []
    found = []
    for number in range(count.value):
        device = ctypes.c_int()
        if driver.cuDeviceGet(ctypes.byref(device), number) == 0:
            found.append(attribute(driver, MAJOR, device) * 10 + attribute(driver, MINOR, device))
    return sorted(set(found))


def known_to(nvcc):
    said = subprocess.run([nvcc, "--list-gpu-code"], capture_output=True, text=True, check=True).stdout
    return {int(number) for number in re.findall(r"^sm_(\d+)$", said, re.MULTILINE)}


def main():
    known = known_to(sys.argv[1])
    found = [f"{gpu}-real" for gpu in gpus_here() if gpu in known]
    print(";".join([*(found or WITHOUT_GPU), READ]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
