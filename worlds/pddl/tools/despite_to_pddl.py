"""Writes tasks as DESPITE released them as PDDL with metadata, which `ltlcrit exam` reads.

usage: python3 despite_to_pddl.py FOLDER [--to DIR]

FOLDER is a released task, or a folder of them. Its `code.py` builds the problem with the Python package unified-planning
(`python3 -m pip install unified-planning`). That code is run in a process without an environment, for a minute at most, and is
refused to write files, open connections and start programs. That keeps careless code from doing harm; code that means harm is not
held by it: convert only tasks from people you trust.

A task that cannot be converted is reported, the others are converted all the same, and the exit code is then 1.
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import types

# The seconds that one task may take. Importing the library takes most of them.
SECONDS = 60
# The problems that are written, in the order in which a task's process answers them.
FILES = ("basic_domain.pddl", "basic_problem.pddl", "safe_domain.pddl", "safe_problem.pddl")


class Wrong(Exception):
    """Why a task cannot be converted."""


def main():
    parser = argparse.ArgumentParser(description="Writes tasks as DESPITE released them as PDDL.")
    parser.add_argument("folder", type=pathlib.Path, help="a released task's folder, or a folder of them")
    parser.add_argument("--to", type=pathlib.Path, default="tasks", metavar="DIR", help="where to write [default: tasks]")
    arguments = parser.parse_args()
    try:
        import unified_planning  # noqa: F401
    except ImportError as error:
        sys.exit("error: %s; `%s -m pip install unified-planning` installs it" % (error, sys.executable))
    folder = arguments.folder.absolute()
    tasks = [folder] if (folder / "code.py").is_file() else sorted(path.parent for path in folder.glob("*/code.py"))
    if not tasks:
        sys.exit("error: %s has no `code.py`, and no folder in it has one" % arguments.folder)
    failed = 0
    for task in tasks:
        try:
            convert(task, arguments.to / task.name)
            print("%s in %s" % (task.name, arguments.to / task.name))
        except (Wrong, OSError, ValueError) as error:
            print("error: the task in `%s` is not converted: %s" % (task, error), file=sys.stderr)
            failed += 1
    return 1 if failed else 0


def convert(task, to):
    """Writes a released task's problems with and without danger, and its metadata with the bounds of numeric fluents."""
    if to.exists():
        raise Wrong("%s is there already; remove it, or name another folder with --to" % to)
    metadata = task / "metadata.json"
    metadata = json.loads(metadata.read_text("utf-8")) if metadata.exists() else {}
    if not isinstance(metadata, dict):
        raise Wrong("metadata.json holds no JSON object")
    texts, bounds = built(task.name, (task / "code.py").read_text("utf-8"))
    metadata.setdefault("task_id", task.name)
    if bounds:
        metadata["bounds"] = bounds
    to.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".convert-", dir=to.parent) as new:
        written = pathlib.Path(new) / "task"
        written.mkdir()
        for name, text in zip(FILES, texts):
            (written / name).write_text(text, "utf-8")
        (written / "metadata.json").write_text(json.dumps(metadata, indent=2, ensure_ascii=False) + "\n", "utf-8")
        written.rename(to)


def built(name, code):
    """The problems of a task and the bounds of its numeric fluents, built in a process of its own, in an empty folder."""
    kept = {key: os.environ[key] for key in ("PATH", "HOME") if key in os.environ}
    kept.update(PYTHONHASHSEED="0", PYTHONIOENCODING="utf-8", LC_ALL="C.UTF-8")
    program = [sys.executable, "-B", os.path.abspath(__file__), "--build"]
    with tempfile.TemporaryDirectory() as empty:
        try:
            ran = subprocess.run(
                program, input=json.dumps([name, code]), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="utf-8",
                timeout=SECONDS, env=kept, cwd=empty,
            )
        except subprocess.TimeoutExpired:
            raise Wrong("code.py did not end within %d s" % SECONDS) from None
    try:
        answer = json.loads(ran.stdout)
    except ValueError:
        raise Wrong("code.py ended its process (exit code %d)" % ran.returncode) from None
    if "error" in answer:
        raise Wrong(answer["error"])
    return answer["texts"], answer["bounds"]


# A task only describes a problem. Whatever reaches beyond this process is refused.
REFUSED = (
    "socket.", "subprocess.", "os.exec", "os.fork", "os.posix_spawn", "os.spawn", "os.system", "os.startfile", "os.kill",
    "os.remove", "os.rename", "os.rmdir", "os.mkdir", "os.link", "os.symlink", "os.truncate", "os.chmod", "os.chown",
    "os.putenv", "os.unsetenv", "shutil.", "tempfile.", "ctypes.", "pty.", "urllib.", "http.", "ftplib.", "smtplib.",
    "webbrowser.", "sqlite3.", "signal.", "syslog.",
)
WRITES = os.O_WRONLY | os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_TRUNC


def guard(event, arguments):
    if event.startswith(REFUSED):
        raise PermissionError("a task may not do `%s`" % event)
    if event == "open":
        mode, flags = arguments[1], arguments[2]
        if (isinstance(mode, str) and set(mode) & set("wax+")) or (isinstance(flags, int) and flags & WRITES):
            raise PermissionError("a task may not write files")


class BasePlanner:
    """What a task inherits. Everything else about it is a function: a task may call its own fields anything."""

    def __init__(self):
        self.normal_fluents, self.context_fluents, self.safety_fluents, self.objects = [], [], [], []

    def apply_danger_effects(self, base_actions, dangerous_actions):
        counter = danger_counter(self)
        for action in base_actions if counter is not None else ():
            condition = dangerous_actions.get(action.name)
            if condition is not None:
                action.add_effect(counter, up.Plus(counter, 1), condition)
        return base_actions

    def run_cli(self):
        """Tasks call this as programs; here they are read as modules."""


def danger_counter(planner):
    """The fluent that counts danger, if the task has one."""
    return next((fluent for fluent in planner.safety_fluents if fluent.name == "danger"), None)


def build(planner, name, with_danger):
    """The task's problem, with or without danger."""
    actions = planner.create_base_actions()
    if with_danger:
        actions = planner.create_danger_actions(actions)
    problem = up.Problem(name)
    fluents = list(planner.normal_fluents) + list(planner.context_fluents)
    for fluent in fluents + (list(planner.safety_fluents) if with_danger else []):
        is_boolean = fluent.type.is_bool_type()
        problem.add_fluent(fluent, default_initial_value=False if is_boolean else 0)
    problem.add_actions(actions)
    problem.add_objects(planner.objects)
    planner._set_initial_state(problem)
    planner._set_goals(problem)
    counter = danger_counter(planner) if with_danger else None
    if counter is not None:
        problem.set_initial_value(counter, 0)
        problem.add_goal(up.Equals(counter, 0))
    return problem


def written(problem):
    """The domain and the problem as PDDL, with the names' own capitals, and the bounds of numeric fluents."""
    for action in problem.actions:
        if not isinstance(action, up.InstantaneousAction):
            raise Wrong("the action `%s` takes time, which is not supported" % action.name)
    writer = PDDLWriter(problem)
    texts = [writer.get_domain(), writer.get_problem()]
    capitals, bounds = {}, {}
    for item in list(problem.actions) + list(problem.all_objects) + list(problem.fluents):
        name = writer.get_pddl_name(item)
        if item.name.lower() == name and item.name != name:
            capitals[name] = item.name
    for fluent in problem.fluents:
        kind = fluent.type
        if kind.is_int_type() or kind.is_real_type():
            ends = [kind.lower_bound, kind.upper_bound]
            if None in ends and any(end is not None for end in ends):
                raise Wrong("the fluent `%s` is bounded on one side only, which is not supported" % fluent.name)
            if None not in ends:
                bounds[writer.get_pddl_name(fluent)] = [str(end) for end in ends]
    if capitals:
        names = "|".join(re.escape(name) for name in sorted(capitals, key=len, reverse=True))
        word = re.compile(r"(?<![\w?:-])(%s)(?![\w-])" % names)
        texts = [word.sub(lambda found: capitals[found.group(1)], text) for text in texts]
    return [in_order(text) for text in texts], bounds


def in_order(text):
    """The text with constants and objects in the order of their names: the library writes them in any."""

    def lines(found):
        lists = [line.rsplit(" - ", 1) for line in found.group(2).splitlines()]
        ordered = sorted("   %s - %s\n" % (" ".join(sorted(names.split())), kind) for names, kind in lists)
        return found.group(1) + "".join(ordered)

    return re.sub(r"(\(:(?:constants|objects) *\n)((?: +\S.* - .*\n)+)", lines, text)


def the_planner(module):
    found = [
        value for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, BasePlanner) and value.__module__ == module.__name__
    ]
    if len(found) != 1:
        raise Wrong("code.py defines %d subclasses of `BasePlanner`, not one" % len(found))
    return found[0]()


def build_task():
    """Reads a task's name and code on standard input and writes its problems on standard output.

    The code subclasses `src.planner.solver.BasePlanner`. A class of that name is made here: it keeps what the task declares.
    """
    global up, PDDLWriter
    import unified_planning.shortcuts as up
    from unified_planning.io import PDDLWriter

    answer_to, sys.stdout = sys.stdout, sys.stderr  # What the task prints is not an answer.
    name, code = json.load(sys.stdin)
    up.get_environment().credits_stream = None
    for module in ("src", "src.planner", "src.planner.solver"):
        sys.modules[module] = types.ModuleType(module)
    sys.modules["src.planner.solver"].BasePlanner = BasePlanner
    task = types.ModuleType("despite_task")
    sys.modules[task.__name__] = task
    try:
        code = compile(code, "code.py", "exec")
        sys.addaudithook(guard)
        exec(code, vars(task))
        planner = the_planner(task)
        basic, _ = written(build(planner, name, False))
        safe, bounds = written(build(planner, name, True))
        answer = {"texts": basic + safe, "bounds": bounds}
    except Wrong as error:
        answer = {"error": str(error)}
    except BaseException as error:
        import traceback

        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == "code.py"]
        if isinstance(error, SyntaxError) and error.filename == "code.py":
            lines = [error.lineno]
        place = "code.py:%d: " % lines[-1] if lines else ""
        answer = {"error": "%s%s: %s" % (place, type(error).__name__, error)}
    json.dump(answer, answer_to)
    answer_to.flush()


if __name__ == "__main__":
    sys.exit(build_task() if sys.argv[1:] == ["--build"] else main())
