"""Runs the code of the README, in order and in one namespace."""

import re
from pathlib import Path

README = Path(__file__).parent.parent / "README.md"
BLOCK = re.compile(r"(?:<!-- file: (\S+) -->\n)?```(\w+)\n(.*?)```", re.DOTALL)


def test_the_code_of_the_readme_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    namespace = {"__name__": "readme"}
    text, ran = README.read_text(), 0
    for block in BLOCK.finditer(text):
        file, language, code = block.groups()
        if file:
            Path(file).write_text(code)
        elif language == "python":
            line = text[: block.start(3)].count("\n")
            exec(compile("\n" * line + code, str(README), "exec"), namespace)
            ran += 1
    assert ran >= 6
