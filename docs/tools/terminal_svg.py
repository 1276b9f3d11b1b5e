#!/usr/bin/env python3
"""Runs a command in a terminal and draws what it leaves on the screen as SVG. Needs nothing but Python on Unix.

`docs/tools/pictures.sh` calls it for the picture of the README.
"""

import argparse
import fcntl
import os
import pty
import re
import struct
import sys
import termios
from html import escape

COLOURS = {30: "#484f58", 31: "#ff7b72", 32: "#3fb950", 33: "#d29922", 34: "#58a6ff", 35: "#d2a8ff", 36: "#39c5cf", 37: "#c9d1d9"}
TEXT, BACKGROUND = "#c9d1d9", "#0d1117"
WIDTH, HEIGHT, MARGIN, BAR = 7.8, 19, 16, 36
ESCAPE = re.compile(r"\x1b\[([0-9;?]*)([A-Za-z])")


def output(command, columns, rows):
    """The bytes that a command writes to a terminal of its own."""
    child, terminal = pty.fork()
    if child == 0:
        os.environ.update(TERM="xterm-256color", COLUMNS=str(columns), LINES=str(rows))
        os.execvp(command[0], command)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    written = b""
    while True:
        try:
            part = os.read(terminal, 65536)
        except OSError:  # Linux reports the end of a terminal so.
            break
        if not part:
            break
        written += part
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status != 0:
        sys.exit(f"{' '.join(command)} ended with exit code {status}:\n{written.decode(errors='replace')}")
    return written.decode()


def screen(text):
    """The lines of a terminal after this output; a line is a list of (character, style)."""
    lines, line, at, style = [], [], 0, ()
    position = 0
    while position < len(text):
        found = ESCAPE.match(text, position)
        if found:
            position = found.end()
            codes = [int(code) for code in found[1].split(";") if code.isdigit()] or [0]
            if found[2] == "m":
                for code in codes:
                    style = () if code == 0 else style + (code,)
            elif found[2] == "K":
                line = [] if codes == [2] else line[:at]
            continue
        character = text[position]
        position += 1
        if character == "\n":
            lines.append(line)
            line, at = [], 0
        elif character == "\r":
            at = 0
        elif character >= " ":
            line += [(" ", ())] * (at - len(line))
            line[at : at + 1] = [(character, style)]
            at += 1
    return lines + [line] if line else lines


def spans(line):
    """Runs of one style, each with its first column; runs of blanks are left out."""
    start = 0
    while start < len(line):
        style, end = line[start][1], start
        while end < len(line) and line[end][1] == style:
            end += 1
        text = "".join(character for character, _ in line[start:end])
        kept = text.lstrip()
        if kept:
            yield start + len(text) - len(kept), kept.rstrip(), style
        start = end


def svg(lines, title, columns):
    width, height = columns * WIDTH + 2 * MARGIN, len(lines) * HEIGHT + BAR + MARGIN
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" width="{width:.0f}" height="{height}" '
        f'role="img" aria-label="{escape(title)}" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, '
        f'\'DejaVu Sans Mono\', monospace" font-size="13" fill="{TEXT}">'
    )
    yield f'<rect width="100%" height="100%" rx="8" fill="{BACKGROUND}"/>'
    for index, colour in enumerate(("#ff5f57", "#febc2e", "#28c840")):
        yield f'<circle cx="{MARGIN + 4 + 20 * index}" cy="18" r="6" fill="{colour}"/>'
    yield f'<text x="50%" y="22" text-anchor="middle" fill="#8b949e">{escape(title)}</text>'
    for row, line in enumerate(lines):
        for column, text, style in spans(line):
            look = f' x="{MARGIN + column * WIDTH:.1f}" y="{BAR + (row + 1) * HEIGHT - 5}" textLength="{len(text) * WIDTH:.1f}"'
            look += "".join(f' fill="{COLOURS[code]}"' for code in style[-1:] if code in COLOURS)
            look += ' font-weight="bold"' if 1 in style else ""
            look += ' opacity="0.6"' if 2 in style else ""
            yield f'<text{look} xml:space="preserve">{escape(text)}</text>'
    yield "</svg>"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output")
    parser.add_argument("--title", required=True)
    parser.add_argument("--columns", type=int, default=110)
    parser.add_argument("--head", type=int, default=1000, help="the number of lines shown from the beginning")
    parser.add_argument("--tail", type=int, default=0, help="the number of lines shown from the end")
    parser.add_argument("command", nargs="+")
    args = parser.parse_args()
    lines = screen(output(args.command, args.columns, 50))
    if len(lines) > args.head + args.tail:
        lines = lines[: args.head] + [[(character, (2,)) for character in "   ⋮"]] + lines[len(lines) - args.tail :]
    with open(args.output, "w", encoding="utf-8") as file:
        file.write("\n".join(svg(lines, args.title, args.columns)) + "\n")


main()
