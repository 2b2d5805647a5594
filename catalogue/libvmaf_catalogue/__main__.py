"""python -m libvmaf_catalogue is the command vmaf-catalogue."""

import sys

from ._command import main

if __name__ == "__main__":
    sys.exit(main())
