"""The command `assay` of the wheel: becomes the program, which asks the PyTorch of this Python."""

import os
import sys

from torch_assay import AssayError, environment, program


def main():
    try:
        path = program()
    except AssayError as error:
        sys.exit(f"assay: {error}")
    # The program shows how to repeat a case by the name under which the user has called it.
    os.execve(path, [path, *sys.argv[1:]], {**environment(), "ASSAY_CALLED_BY": os.path.abspath(sys.argv[0])})


if __name__ == "__main__":
    main()
