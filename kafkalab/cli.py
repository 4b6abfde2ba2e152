"""The ``kafkalab`` command. Exit codes: 0 done, 1 the work failed, 2 the command line was wrong."""

from __future__ import annotations

import json as jsonlib
import shutil
import sys
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from kafkalab import __version__
from kafkalab.errors import BadInput, KafkalabError
from kafkalab.state.model import Mode

app = typer.Typer(
    name="kafkalab",
    help="Learn Kafka on a real cluster, in JupyterLab.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Name = Annotated[str, typer.Option("--name", "-n", help="The cluster's name.")]
OptionalName = Annotated[str | None, typer.Option("--name", "-n", help="The cluster's name; by default lab.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object on standard output.")]
ModeOption = Annotated[Mode, typer.Option("--mode", help="Kafka 3.9 with ZooKeeper, or Kafka 4 with KRaft.")]
BackendOption = Annotated[
    Literal["local", "docker"] | None,
    typer.Option("--backend", help="Run the nodes as local processes, or as containers.", envvar="KAFKALAB_BACKEND"),
]
Servers = Annotated[
    str | None, typer.Option("--bootstrap-servers", help="Use somebody else's cluster, at host:port,host:port.")
]


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _table(title: str, columns: list[str], rows: list[list[str]]) -> None:
    """Print a table with a title above it; in a pipe it is as wide as needed, so that no address is broken in two."""
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    console = Console()
    if not console.is_terminal:
        console.width = 10_000
    table = Table()
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*(escape(cell) for cell in row))
    console.print(title, style="italic", markup=False, highlight=False, soft_wrap=True)
    console.print(table)


def _print_json(value: Any) -> None:
    print(jsonlib.dumps(value, indent=1), flush=True)


@app.command()
def doctor(
    bootstrap_servers: Annotated[
        str | None,
        typer.Option("--bootstrap-servers", help="Check the connection to these brokers: host:port,host:port."),
    ] = None,
    json: Json = False,
) -> None:
    """Check this machine, or the connection to some brokers: what is there, what is wrong, and how to fix it."""
    if bootstrap_servers is not None:
        from kafkalab.cluster.external import parse
        from kafkalab.commands import listeners

        hops = listeners.follow(parse(bootstrap_servers))
        if json:
            _print_json(listeners.to_dict(hops))
        else:
            print(listeners.picture(hops))
        raise typer.Exit(0 if all(h.ok for h in hops) else 1)
    from kafkalab.commands import doctor as it

    checks = it.examine()
    if json:
        _print_json(it.to_dict(checks))
    else:
        print(it.text(checks, min(120, shutil.get_terminal_size().columns)))
    raise typer.Exit(0 if it.well(checks) else 1)


@app.command()
def fetch(
    sets: Annotated[list[str] | None, typer.Argument(help="zookeeper, kraft or spark; by default all of them.")] = None,
) -> None:
    """Fetch the jars into the cache and check them; no network is needed when all are there."""
    from kafkalab.cluster import local
    from kafkalab.cluster.jars import SETS, jar_set
    from kafkalab.cluster.spec import MODES
    from kafkalab.progressbar import bar

    for chosen in [jar_set(name) for name in sets or SETS]:
        with bar(f"Fetching the jars of {chosen.name}") as progress:
            chosen.ensure(progress)
        size = sum(j.size for j in chosen.jars) / 1e6
        _say(f"{chosen.name}: {len(chosen.jars)} jars, {size:.0f} MB, each with the right sha256.")
    for mode in [m for m in MODES if m in (sets or SETS)]:
        with bar(f"Kafka with {mode}") as progress:
            local.rehearse(mode, progress)
    if "spark" in (sets or SETS):
        from kafkalab.streams import session

        with bar("Spark") as progress:
            session.rehearse(progress)


@app.command()
def up(
    name: Name = "lab",
    mode: ModeOption = "zookeeper",
    brokers: Annotated[int, typer.Option(help="How many brokers; their ids are 101, 102, …")] = 3,
    zookeepers: Annotated[int, typer.Option(help="How many servers the ZooKeeper ensemble has.")] = 1,
    backend: BackendOption = None,
    port: Annotated[int | None, typer.Option(help="The first broker's port; by default, free ones are chosen.")] = None,
) -> None:
    """Start a cluster that runs until `kafkalab down`."""
    from kafkalab.cluster.interrupts import ending_like_ctrl_c
    from kafkalab.handles.cluster import Cluster

    with ending_like_ctrl_c():  # or the nodes started so far would run on: they are detached from this process
        cluster = Cluster(brokers, mode, zookeepers=zookeepers, backend=backend, name=name, port=port, detached=True)
    _say(f"{name} is up. In Python: Cluster.attach({name!r}). Its bootstrap servers:")
    print(cluster.bootstrap_servers)


@app.command()
def down(
    name: Name = "lab",
    all: Annotated[bool, typer.Option("--all", help="Stop all your clusters.")] = False,
    remove: Annotated[bool, typer.Option("--remove", help="Also remove the topics and all other data.")] = False,
) -> None:
    """Stop a cluster; its topics are kept unless --remove is given."""
    from kafkalab.commands import clusters

    said = clusters.down_all(remove) if all else [clusters.down(name, remove)]
    for sentence in said or ["There is no cluster; nothing to do."]:
        _say(sentence)


@app.command()
def status(json: Json = False) -> None:
    """Show your clusters and their nodes."""
    from kafkalab.commands import clusters

    found = clusters.status()
    if json:
        _print_json(found)
        return
    if not found["clusters"]:
        _say("There is no cluster. Start one: kafkalab up")
    for cluster in found["clusters"]:
        rows = [
            [n["name"], n["state"], str(n["port"]), str(n.get("pid") or n.get("container") or "")]
            for n in cluster["nodes"]
        ]
        _table(
            f"{cluster['name']} · {cluster['mode']} · {cluster['backend']} · {cluster['bootstrap_servers']}",
            ["node", "state", "port", "process"],
            rows,
        )


@app.command()
def reset(name: Name = "lab") -> None:
    """Reset a cluster: no topics, no groups, no checkpoints of streams; a running one comes back on the same ports."""
    from kafkalab.cluster.interrupts import ending_like_ctrl_c
    from kafkalab.commands import clusters

    with ending_like_ctrl_c():
        said, servers = clusters.reset(name)
    _say(said)
    if servers:
        print(servers)


@app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def lab(
    context: typer.Context,
    mode: ModeOption = "zookeeper",
    backend: BackendOption = None,
    labs: Annotated[
        Path | None,
        typer.Option("--labs", help="The folder for your labs; your changes in it are kept.", envvar="KAFKALAB_LABS"),
    ] = None,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the browser too.")] = True,
) -> None:
    """Open JupyterLab with the labs and a running cluster; further arguments go to JupyterLab."""
    from kafkalab.commands import lab as it

    raise typer.Exit(it.serve([*context.args, *([] if browser else ["--no-browser"])], mode, labs, backend))


@app.command()
def demo(
    name: Annotated[str, typer.Argument(help="Which demo.")] = "trucks",
    minutes: Annotated[float, typer.Option(help="How many minutes the trucks report.", min=0.1, max=600)] = 1.0,
    trucks: Annotated[int, typer.Option(help="How many trucks.", min=1, max=100_000)] = 1000,
    mode: ModeOption = "zookeeper",
    backend: BackendOption = None,
    bootstrap_servers: Servers = None,
    map: Annotated[
        Path | None, typer.Option("--map", help="Where to save the picture of the map; by default in KAFKALAB_HOME.")
    ] = None,
    json: Json = False,
) -> None:
    """Run the main job without a notebook: trucks → Kafka → Spark, broker 102 killed and back, every record counted."""
    from kafkalab.commands import demo as it

    if name != "trucks":
        raise BadInput(f"There is no demo {name!r}.", do="Demos: trucks")
    result = it.run(it.Stage(minutes, trucks, mode, bootstrap_servers, map or it.default_map(), backend, not json))
    if json:
        _print_json(result)
    else:
        it.show(result)
    raise typer.Exit(0 if it.succeeded(result) else 1)


@app.command(context_settings={"allow_extra_args": True, "allow_interspersed_args": False})
def tool(
    context: typer.Context,
    tool_name: Annotated[str, typer.Argument(metavar="NAME", help="For example kafka-topics; a wrong one lists them.")],
    name: OptionalName = None,
    bootstrap_servers: Servers = None,
) -> None:
    """Run one of Kafka's own tools: kafkalab tool [--name CLUSTER | --bootstrap-servers …] kafka-topics --list."""
    from kafkalab.commands import clusters

    clusters.run_tool(tool_name, context.args, name, bootstrap_servers)


@app.command(
    epilog="Examples: [b]kafkalab record election.kafkalab[/b] · [b]kafkalab record --seconds 60 a.kafkalab[/b] · "
    "[b]kafkalab record --bootstrap-servers host:9092 theirs.kafkalab[/b]"
)
def record(
    file: Annotated[Path, typer.Argument(help="The new file; its name gets the ending .kafkalab.")],
    seconds: Annotated[float | None, typer.Option(help="How long to record; by default until Ctrl-C.", min=0.1)] = None,
    name: OptionalName = None,
    bootstrap_servers: Servers = None,
) -> None:
    """Record what happens to a running cluster, until Ctrl-C."""
    from kafkalab.commands import clusters
    from kafkalab.commands import record as it
    from kafkalab.state.changes import many
    from kafkalab.views.timeline.picture import moment

    if name is not None and bootstrap_servers:
        raise BadInput("You named two clusters.", do="Give either --name or --bootstrap-servers, not both.")
    recording = it.record(clusters.chosen(name, bootstrap_servers), file, seconds)
    _say(f"{many(len(recording.events), 'event')} in {moment(recording.seconds)}.")
    print(recording.path)


@app.command(
    epilog="Examples: [b]kafkalab replay election.kafkalab[/b] · "
    "[b]kafkalab replay election.kafkalab --html election.html[/b]"
)
def replay(
    file: Annotated[Path, typer.Argument(help="The recording to show.")],
    html: Annotated[
        Path | None, typer.Option("--html", help="Write a page with all views, which any browser can open.")
    ] = None,
    json: Json = False,
) -> None:
    """Show what is in a recording; with --html, write a page of it that needs no cluster."""
    from kafkalab.commands import record as it
    from kafkalab.handles.recording import Recording

    recording = Recording.open(file)
    said = it.told(recording)
    if recording.problem:
        _say(recording.problem)
    if html is not None:
        recording.to_html(html)
        said["html"] = str(html)
        _say(f"The page: {html}")
    if json:
        _print_json(said)
    else:
        title, rows = it.rows(said)
        _table(title, ["when", "kind", "what"], rows)


@app.command(
    epilog="Examples: [b]kafkalab grade hand-ins[/b] · "
    "[b]kafkalab grade 'hand-ins/*02*.ipynb' --roster class.csv --out grades[/b]"
)
def grade(
    notebooks: Annotated[
        list[Path], typer.Argument(metavar="NOTEBOOK…", help="Notebooks, folders with notebooks, or patterns.")
    ],
    roster: Annotated[Path | None, typer.Option("--roster", help="A CSV of the class: name, id, email, file.")] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="A folder for the reports; they are written after each notebook.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Keep the grades in --out for unchanged files.")] = False,
    fail_under: Annotated[
        float | None, typer.Option("--fail-under", help="Exit with 3 when a learner has fewer points in total.", min=0)
    ] = None,
    cases: Annotated[Path | None, typer.Option("--cases", help="A folder with your own hidden cases.")] = None,
    mode: ModeOption = "zookeeper",
    isolate: Annotated[
        bool, typer.Option("--isolate", help="Run each in a sandbox (bubblewrap, on Linux): for graded exams.")
    ] = False,
    jobs: Annotated[
        int, typer.Option("--jobs", help="How many run at the same time; each takes 1 GB and a core.", min=1, max=16)
    ] = 1,
    seconds: Annotated[float, typer.Option("--seconds", help="Time limit for all cells together.", min=1)] = 1800.0,
    cell_seconds: Annotated[float, typer.Option("--cell-seconds", help="Time limit for one cell.", min=1)] = 180.0,
    memory: Annotated[float, typer.Option("--memory", help="MB that a notebook's kernel may use.", min=100)] = 3000.0,
    disk: Annotated[float, typer.Option("--disk", help="MB that a notebook may write.", min=50)] = 1000.0,
    json: Json = False,
) -> None:
    """Run the notebooks that learners handed in, each with its own cluster, and give points for the answers."""
    from kafkalab.commands import grade as it
    from kafkalab.grading.kernel import Limits
    from kafkalab.grading.run import Options

    options = Options(Limits(cell_seconds, seconds, memory, disk), mode, isolate, cases, jobs)
    report = it.run(notebooks, options, roster=roster, out=out, resume=resume)
    if json:
        _print_json(report.to_dict())
    else:
        for graded in report.notebooks:
            title, rows = it.rows(graded)
            _table(title, ["question", "outcome", "points", "reason"], rows)
        for sentence in it.afterwards(report, out):
            _say(sentence)
    code, why = it.verdict(report, fail_under)
    for sentence in why:
        _say(sentence)
    sys.exit(code)


@app.command(epilog="Examples: [b]kafkalab progress[/b] · [b]kafkalab progress 02 --forget[/b]")
def progress(
    lab: Annotated[str | None, typer.Argument(metavar="[LAB]", help="One lab, for example 02; by default all.")] = None,
    forget: Annotated[bool, typer.Option("--forget", help="Delete what is saved of this lab, or of all labs.")] = False,
    json: Json = False,
) -> None:
    """Show what you have done in the labs, as it is saved on this machine."""
    from kafkalab.commands import progress as it

    if forget:
        _say(it.forget(lab))
    said = it.told(lab)
    if said["note"]:
        _say(said["note"])
    if json:
        _print_json(said)
    elif not forget:
        _table(*it.table(said))
        _say(f"kafkalab progress {f'{lab} ' if lab else ''}--forget starts {'it' if lab else 'all of them'} again.")


@app.command()
def bench(
    runs: Annotated[int, typer.Option(help="How often each side runs; the medians are compared.", min=1, max=20)] = 3,
    json: Json = False,
) -> None:
    """Measure kafkalab's speed against the usual ways, as ratios within one run."""
    from kafkalab.commands import bench as it

    report = it.run(runs, _say)
    if json:
        _print_json(report)
        return
    rows = [
        [r["name"], f"{r['ours']:.2f}", f"{r['theirs']:.2f}", r["unit"], f"{r['ratio']:.2f}"] for r in report["results"]
    ]
    _table(report["machine"], ["what", "ours", "theirs", "unit", "ratio"], rows)


@app.callback(invoke_without_command=True)
def _root(version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False) -> None:
    if version:
        print(f"kafkalab {__version__}")
        raise typer.Exit


def main() -> None:
    """Run the command line; kafkalab's own errors become a sentence and an exit code, never a traceback."""
    try:
        app()
    except KafkalabError as e:
        _say(f"kafkalab: {e}")
        sys.exit(2 if isinstance(e, BadInput) else 1)
    except KeyboardInterrupt:
        _say("kafkalab: interrupted. Everything that it started has been stopped.")
        sys.exit(1)
