"""Runs the Python snippets of documents. Each document has one namespace, and a folder with ref.y4m and dis.y4m.

usage: run_snippets.py DOCUMENT...

Those in fences marked `python` are run; `py` marks what needs more than the tests have.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from pathlib import Path

from made_videos import make_frame, write_y4m


def snippets(text):
    """(line number, code)"""
    for match in re.finditer(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        yield text.count("\n", 0, match.start(1)), match.group(1)


def main():
    for document in sys.argv[1:]:
        text = Path(document).read_text()
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            write_y4m(Path("ref.y4m"), [make_frame(i) for i in range(30)])
            write_y4m(Path("dis.y4m"), [make_frame(i, noise=2) for i in range(30)])
            names = {"__name__": "__main__"}
            count = 0
            for line, code in snippets(text):
                exec(compile("\n" * line + code, document, "exec"), names)
                count += 1
            os.chdir("/")
        print(f"{document}: {count} snippets ran")
        if count == 0:
            sys.exit(f"{document}: no snippet")


if __name__ == "__main__":
    main()
