"""LiveView, the base of every live view: it listens to a cluster, draws a state, and sends what changed of it."""

from __future__ import annotations

import logging
import re
import threading
import weakref
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from importlib.resources import files
from typing import Any, ClassVar
from uuid import uuid4

import anywidget
import traitlets

from kafkalab.errors import KafkalabError, WaitTimeout
from kafkalab.history.moment import Moment
from kafkalab.history.recording import Recording
from kafkalab.state.model import Snapshot
from kafkalab.state.patch import diff
from kafkalab.state.watch import Source, Update
from kafkalab.views import static
from kafkalab.views.static import Block, Para
from kafkalab.waiting import wait_until

# --- The one script and the one style sheet of each view, as anywidget takes them.
#
# The modules in a view's folder are separate files, but anywidget loads ``_esm`` as one blob, in which an import of
# ``"../shared.ts"`` finds nothing. So each view's modules are joined beforehand (``make frontend``) into a readable
# ``bundle.js`` beside them: kafkalab's users need no build step and no Node. A test checks that both agree.


@cache
def esm(name: str) -> str:
    """Return the script of the view in the folder ``name`` with everything it imports, as one ES module."""
    return _read(f"{name}/bundle.js")


@cache
def css(*names: str) -> str:
    """Return the style sheet of the views in the folders ``names``: what all share first."""
    return "\n".join(map(_read, ("shared.css", *(f"{name}/bundle.css" for name in names))))


def _read(file: str) -> str:
    return (files("kafkalab.views") / file).read_text(encoding="utf-8")


# --- A widget that its page can always reach, and that always reaches its page.


class Heard(anywidget.AnyWidget):
    """The base of every view: an anywidget whose buttons work while a cell runs, and whose page drops no message.

    ``me`` is the widget's own id. With it the page finds the model that Jupyter keeps, which it needs if anywidget
    has given up on it (``views/live.ts``).
    """

    me = traitlets.Unicode("").tag(sync=True)

    def __init__(self, **traits: Any) -> None:
        id = uuid4().hex
        super().__init__(model_id=id, me=id, **traits)
        answer_where_asked(self.comm)


def answer_where_asked(comm: Any) -> None:
    """Let messages from the front end be handled in the subshell to which the front end addressed them.

    JupyterLab sends widgets' messages to a subshell of the kernel, a thread beside the one that runs cells. ipykernel 7
    then moves them to the shell that last sent on that comm. If a cell updates the widget, that is the very shell that
    is busy with the cell: a button would do nothing until the cell ends, and a learner who wants to kill a broker
    *during* a cell would wait in vain. Kernels without this routing are left as they are.
    """
    if hasattr(comm, "_reply_subshell_for"):
        comm._reply_subshell_for = lambda data, asked: asked


# --- Pulse: the thread that tells every page with a view, each second, that the kernel is there.


log = logging.getLogger(__name__)

#: Seconds between two beats. A page that hears nothing for five seconds says so (``views/live.ts``).
PERIOD = 1.0


@cache
def _pulse() -> threading.Thread:
    """Start the thread, once."""
    thread = threading.Thread(target=_beats, name="kafkalab-pulse", daemon=True)
    thread.start()
    return thread


def _beats() -> None:
    never = threading.Event()
    while not never.wait(PERIOD):
        with suppress(RuntimeError):  # a view is made at this very moment: the next beat is soon
            for view in list(_made):
                view._beat()


#: The data that a view is drawn from: plain JSON, as each view's ``picture`` describes it.
Drawn = dict[str, Any]

#: Seconds that a new view may wait for its first data, so that its text and its pictures are not empty.
FIRST_LOOK = 5.0

#: The note on the page of a frozen view.
FROZEN = (
    "This picture was kept when the lab was cleaned up, so it is no longer connected to a cluster: run its cell again."
)

_VERB = re.compile(r"[a-z][a-z_]*")

#: All views that exist.
_made: weakref.WeakSet[LiveView] = weakref.WeakSet()


def freeze_all(source: Source) -> None:
    """Freeze the views of a cluster that is about to go, so that their pictures stay."""
    for view in list(_made):
        if view._source is source:
            view.freeze()


#: The subject of a view: a cluster, a recording of one, or nothing.
Subject = Source | Recording | None


def split_subject(subject: Subject) -> tuple[Source | None, Recording | None]:
    """Return the subject as (cluster, None) or as (None, recording)."""
    return (None, subject) if isinstance(subject, Recording) else (subject, None)


def not_shown(error: Exception) -> str:
    """Return the sentence about a moment of a recording that could not be shown."""
    return f"This moment of the recording could not be shown: {type(error).__name__}: {error}"[:300]


class LiveView(Heard):
    """A view that stays current until :meth:`close`, and rests while no page shows it.

    A subclass names its folder with ``NAME``, and says with :meth:`_drawn` what there is to draw. Updates come on the
    watcher's thread and go straight to the page from there (Jupyter's comms hand every message to the kernel's I/O
    thread), so that the picture moves while a cell runs. Only a new page gets the whole ``state``. After that it gets
    numbered patches (:mod:`kafkalab.state.patch`), and asks for the whole if it missed one. A second without a patch
    brings a beat, so that a page that hears nothing knows that it is cut off, and says so.

    A request of the page, ``{"do": "verb", …}``, is carried out by a method ``do_verb(message)`` on a thread of its
    own; an exception in it is shown under the view.

    A view of a recording shows the moment at which the recording's playhead stands, and follows it.

    :param source: a cluster, whose watcher the view listens to; a recording; or None for a picture that nothing feeds.
    :param presenter: whether everything is larger, for a projector.
    :param live: whether anything feeds it; by default, whether there is a source.
    """

    NAME: ClassVar[str] = ""
    #: Makes paragraphs and tables of what there is to draw.
    BLOCKS: ClassVar[staticmethod[[Any], list[Block]]]
    #: Ends what :meth:`_start_feed` has started.
    _leave: Callable[[], None] | None = None

    state: traitlets.Dict[str, Any] = traitlets.Dict().tag(sync=True)
    presenter = traitlets.Bool(False).tag(sync=True)
    live = traitlets.Bool(False).tag(sync=True)

    def __init_subclass__(cls, **kwargs: Any) -> None:
        # Not for the class that traitlets makes for each widget, because there the two have become traits.
        if "NAME" in vars(cls):
            cls._esm, cls._css = esm(cls.NAME), css(cls.NAME)
        super().__init_subclass__(**kwargs)

    def __init__(self, source: Subject, *, presenter: bool = False, live: bool | None = None, **traits: Any) -> None:
        fed = source is not None if live is None else live
        source, self._recording = split_subject(source)
        self._source = source
        self._shown_at: float | None = None
        # Re-entrant: a note that this view makes comes back to it as an update.
        self._lock = threading.RLock()
        self._snapshot: Snapshot | None = None
        self._error: str | None = None
        self._fault = ""
        self._looked = source is None
        self._awaited = False
        self._viewers: set[str] = set()
        self._beaten = -1
        self._resting = not fed
        self._ended = False
        self._frozen = False
        _made.add(self)
        self._unsubscribe: Callable[[], None] | None = None
        with self._lock:
            if source is not None:
                self._snapshot = source.watcher().latest
            self._subscribe()
            if self._recording is not None:
                self._go(self._recording)
            super().__init__(state=self._pictured(0), live=fed, presenter=presenter, **traits)
        self.on_msg(self._asked)
        if fed:
            self._start_feed()

    # What a subclass defines

    def _drawn(self) -> Mapping[str, Any]:
        """Return what there is to draw, as plain JSON, with new objects where something changed; the lock is held."""
        raise NotImplementedError

    def _heard(self, update: Update) -> None:
        """Take over an update of the watcher; called with the lock held, before a redraw."""
        if update.snapshot is not None:
            self._snapshot = update.snapshot
            self._error = None
        if update.error is not None:
            self._error = update.error

    def _show(self, moment: Moment) -> None:
        """Take over what is to be drawn from a moment of a recording; called with the lock held, before a redraw."""
        self._snapshot = moment.snapshot

    def _start_feed(self) -> None:
        """Start what feeds the view besides the watcher: the view is new, or a page shows it again."""

    def _stop_feed(self) -> None:
        """Stop what feeds the view besides the watcher: no page shows the view any more, or it is closed."""
        with self._lock:
            leave, self._leave = self._leave, None
        if leave is not None:
            leave()

    def _has_looked(self) -> bool:
        """Return whether the view has received its first data, or an error instead."""
        return self._looked

    def _blocks(self, drawn: Any) -> list[Block]:
        """Return the view as paragraphs and tables, for where no widget runs."""
        return type(self).BLOCKS(drawn)

    # What all views have in common

    def drawn_at(self, moment: Moment) -> Drawn:
        """Return what there is to draw at a moment of a recording, as the page's state would be then."""
        with self._lock:
            self._show(moment)
            return {**self._drawn(), "fault": ""}

    def redraw(self) -> None:
        """Draw again, and send what changed; may be called from any thread."""
        with self._lock:
            if self._ended:
                return
            n = self.state["n"] + 1
            after = self._pictured(n)
            patch = diff({**self.state, "n": n}, after)
            if patch:
                self.state = after
                if self.live:
                    self.send({"n": n, "patch": [["set", ["n"], n], *patch]})

    def _pictured(self, n: int) -> Drawn:
        """Return the page's whole state, as number ``n``; called with the lock held."""
        try:
            drawn = self._drawn()
        except Exception as error:
            if self._recording is None:
                raise
            self._cannot_show(error)
            drawn = self.state
        return {**drawn, "n": n, "fault": self._fault}

    def answer(self, message: dict[str, Any]) -> None:
        """Send a message to the page, to be received by the ``heard`` of the view's script."""
        if not self._ended:
            self.send(message)

    def to_html(self) -> str:
        """Return the picture as tables, for places without scripts."""
        return static.to_html(self._static())

    def __repr__(self) -> str:
        return static.to_text(self._static())

    def _static(self) -> list[Block]:
        self._await_first_look()
        with self._lock:
            try:
                return self._blocks(self._drawn())
            except Exception as error:
                if self._recording is None:
                    raise
                self._cannot_show(error)
                return [Para(self._fault)]

    def close(self) -> None:
        """Stop listening, and take the picture off the page; the cluster goes on. A second call does nothing."""
        if "_viewers" not in vars(self):
            # Python also closes a widget whose constructor raised an error; it has nothing to let go of.
            super().close()
            return
        self._let_go()
        self._frozen = False
        super().close()

    def freeze(self) -> None:
        """Stop listening, and leave the picture on the page as it is; the page says that nothing is behind it."""
        self._frozen = True
        self._let_go()
        if self.live:
            self.send({"kept": FROZEN})

    def _let_go(self) -> None:
        with self._lock:
            first, self._ended = not self._ended, True
            unsubscribe, self._unsubscribe = self._unsubscribe, None
            resting, self._resting = self._resting, True
        if unsubscribe is not None:
            unsubscribe()
        if first and not resting:
            self._stop_feed()

    def _repr_mimebundle_(self, **kwargs: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]] | None:
        self._await_first_look()
        bundle = super()._repr_mimebundle_(**kwargs)
        if bundle is None:
            return None
        data, metadata = bundle
        data["text/html"] = self.to_html()
        return data, metadata

    def _await_first_look(self) -> None:
        if self._awaited:
            return
        self._awaited = True
        try:
            wait_until(lambda: self._has_looked() or self._unsubscribe is None, FIRST_LOOK, "a first look", period=0.01)
        except WaitTimeout:
            log.debug("shown before there was anything to show")

    # How it works

    def _should_send_property(self, key: str, value: Any) -> bool:
        # A page that is opened later asks the kernel for all traits; those that are open get patches. The page of a
        # frozen picture asks for nothing: it is drawn from the trait, which may be set after the view was made.
        return (key != "state" or not self.live) and bool(super()._should_send_property(key, value))

    def _subscribe(self) -> None:
        if self._source is not None:
            self._unsubscribe = self._source.watcher().subscribe(self._update)
        elif self._recording is not None:
            self._unsubscribe = self._recording.playhead.subscribe(self._moved)

    def _go(self, recording: Recording) -> None:
        """Show the moment at which the playhead stands; called with the lock held."""
        moment = recording.moment()
        self._shown_at = moment.at
        try:
            self._show(moment)
            self._fault = ""
        except Exception as error:
            self._cannot_show(error)

    def _cannot_show(self, error: Exception) -> None:
        """Keep the earlier picture, and say why. The recording may come from a stranger."""
        log.exception("a moment of %r could not be shown", self._recording)
        self._fault = not_shown(error)

    def _moved(self) -> None:
        """Follow the playhead; called by it on the thread that moved it."""
        with self._lock:
            assert self._recording is not None
            # The recording may have grown while this view shows the past.
            if self._ended or self._recording.playhead.at == self._shown_at:
                return
            self._go(self._recording)
            self.redraw()

    def _update(self, update: Update) -> None:
        """Handle an update; called by the watcher on its own thread, or on the thread that noted an event."""
        with self._lock:
            if self._ended:
                return
            self._heard(update)
            self.redraw()
            self._looked = self._looked or update.snapshot is not None or update.error is not None

    def _asked(self, _: object, content: Any, __: object) -> None:
        """Handle a message from the page, on any thread; return at once, whatever it asks for."""
        if not isinstance(content, dict):
            return
        verb = str(content.get("do"))
        if verb == "whole":
            self._viewer_joined(str(content.get("eye")), content.get("n"))
        elif verb == "gone":
            self._viewer_left(str(content.get("eye")))
        elif not _VERB.fullmatch(verb) or not hasattr(self, f"do_{verb}"):
            return
        elif self._frozen:
            self.send({"kept": FROZEN})
        elif not self._ended:
            threading.Thread(target=self._do, args=(verb, content), name=f"kafkalab-{verb}", daemon=True).start()

    def _do(self, verb: str, message: dict[str, Any]) -> None:
        self.attempt(lambda: getattr(self, f"do_{verb}")(message))

    def attempt(self, act: Callable[[], object], failed: str = "") -> None:
        """Do what a page asked for; if it fails, a sentence under the view says so, which begins with ``failed``."""
        try:
            act()
        except KafkalabError as error:
            self.fault(f"{failed}{error.said}")
        except Exception as error:
            # Anything else is a fault of kafkalab's: it belongs in the log, and the learner must not be left waiting.
            log.exception("what was asked of a %s failed", type(self).__name__)
            self.fault(f"{failed}{type(error).__name__}: {error}")

    def fault(self, text: str) -> None:
        """Show a sentence under the view, about what could not be done; "" takes it away."""
        with self._lock:
            self._fault = text
            self.redraw()

    def _viewer_joined(self, eye: str, n: object) -> None:
        with self._lock:
            if self._ended:
                if self._frozen:
                    self.send({"whole": self.state, "kept": FROZEN})
                return
            self._viewers.add(eye)
            _pulse()
            woken, self._resting = self._resting and self.live, False
            if woken:
                if self._source is not None:
                    self._snapshot = self._source.watcher().latest
                self._subscribe()
                if self._recording is not None:
                    self._go(self._recording)
                    self.redraw()
            # None says that the page has missed nothing: the answer only ends its question.
            self.send({"whole": None if n == self.state["n"] else self.state})
        if woken:
            self._start_feed()

    def _viewer_left(self, eye: str) -> None:
        with self._lock:
            if eye not in self._viewers:
                return
            self._viewers.discard(eye)
            if self._viewers or self._ended:
                return
            self._resting = True
            unsubscribe, self._unsubscribe = self._unsubscribe, None
        if unsubscribe is not None:
            unsubscribe()
        self._stop_feed()

    def _beat(self) -> None:
        """Tell the pages that the kernel is there, unless a patch did so in the last second.

        A view whose lock is held is at work, and tells them at the next beat; a view that is stuck never does.
        """
        if not self._viewers or not self._lock.acquire(blocking=False):
            return
        try:
            n, before, self._beaten = self.state["n"], self._beaten, self.state["n"]
            if not self._ended and n == before:
                self.send({"beat": n})
        except Exception:
            log.exception("a beat failed")
        finally:
            self._lock.release()
