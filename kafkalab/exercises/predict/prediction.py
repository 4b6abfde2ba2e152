"""Prediction: a guess that is locked before the run, and compared afterwards with what the cluster did."""

from __future__ import annotations

import copy
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

from kafkalab.errors import BadInput
from kafkalab.exercises.predict.answers import HasState, answered
from kafkalab.exercises.predict.kinds import Choice, Guess, Kind, Number
from kafkalab.exercises.predict.places import Arrangement, Named, Order
from kafkalab.state.model import Snapshot
from kafkalab.views.predict.still import clock, to_html, to_text, verdict_html, verdict_text

if TYPE_CHECKING:
    from kafkalab.views.predict.view import PredictView

# --- A prediction in a notebook: a widget while it can be answered, and an output that is kept up to date.


class Shown:
    """The outputs of one prediction.

    A notebook stores what was displayed. So each change is displayed again under the same id, and after the lock the
    stored text holds the guess and its time. After the comparison no button is left, and the output is plain HTML: a
    notebook that is opened without its kernel can show that, where a widget would be an error.
    """

    def __init__(self, prediction: Prediction) -> None:
        self._prediction = prediction
        self._view: PredictView | None = None
        self._displayed = False
        self._compared = False

    @property
    def view(self) -> PredictView:
        """The widget, created at first use."""
        if self._view is None:
            # Imported here: widgets take time to load, and a text-only reader never needs them.
            from kafkalab.views.predict.view import PredictView

            self._view = PredictView(self._prediction.drawn, self._prediction.heard, self._prediction.reveal)
        return self._view

    def bundle(self) -> dict[str, Any]:
        """Return the outputs by MIME type, except for the prediction's own type."""
        drawn = self._prediction.drawn()
        widget: dict[str, Any] = {}
        if drawn["phase"] != "compared":
            made = self.view._repr_mimebundle_()
            widget = {} if made is None else dict(made[0])
        return {**widget, "text/plain": str(self._prediction), "text/html": to_html(drawn)}

    def display(self) -> None:
        """Show the prediction as a cell's output."""
        self._displayed = True
        self._publish(self._prediction._repr_mimebundle_(), "", update=False)

    def display_comparison(self) -> None:
        """Show the comparison as a cell's output: the verdict, or the question while no guess is made."""
        self._compared = True
        self._publish(self._comparison(), "-verdict", update=False)

    def again(self) -> None:
        """Redraw the widget after a change, and update the output in every cell that shows it."""
        if self._view is not None:
            self._view.redraw()
        if self._displayed:
            self._publish(self._prediction._repr_mimebundle_(), "", update=True)
        if self._compared:
            self._publish(self._comparison(), "-verdict", update=True)

    def _comparison(self) -> dict[str, Any]:
        """Return the outputs of the comparison; while no guess is made they are those of the question."""
        drawn = self._prediction.drawn()
        if drawn["verdict"] is None:
            return self._prediction._repr_mimebundle_()
        said = {"text/plain": verdict_text(drawn), "text/html": verdict_html(drawn)}
        return {**said, PREDICTION_MIME: self._prediction.to_dict()}

    def _publish(self, bundle: dict[str, Any], which: str, *, update: bool) -> None:
        # IPython is loaded when it displays a prediction; kafkalab itself does not import it.
        shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
        # A terminal cannot take back what it has printed; only a notebook's kernel has outputs that change.
        if shell is not None and (not update or hasattr(shell, "kernel")):
            name = {"display_id": f"{self._prediction.id}{which}"}
            shell.display_pub.publish(bundle, {}, transient=name, update=update)


#: MIME type of the output in which a notebook stores a prediction for programs: see :meth:`Prediction.to_dict`.
PREDICTION_MIME: Final = "application/vnd.kafkalab.prediction+json"


@dataclass(frozen=True, slots=True)
class _Lock:
    guess: Guess
    at: float


@dataclass(frozen=True, slots=True)
class _Result:
    """The outcome that :meth:`Prediction.compare` got; ``at`` is None if the caller gave the value itself."""

    value: Any
    says: Any
    because: str
    at: float | None


class Comparison:
    """A prediction compared with what happened.

    In a notebook it shows the verdict. If no guess was locked, it shows the question again, and the verdict only after
    a guess or a press of "just show me"; the code goes on meanwhile.
    """

    __slots__ = ("_prediction", "at", "because")

    def __init__(self, prediction: Prediction, because: str, at: float | None) -> None:
        self._prediction = prediction
        self.because = because
        #: Time of the snapshot that gave the answer, as Unix time in seconds; None if the caller gave the value itself.
        self.at = at

    @property
    def guess(self) -> Any:
        """The locked guess, as :attr:`Prediction.guess` has it; None if there is none."""
        return self._prediction.guess

    @property
    def right(self) -> bool | None:
        """Whether the guess was right; None as long as there is no guess."""
        verdict = self._prediction.to_dict()["verdict"]
        return None if verdict is None else verdict["right"]

    @property
    def happened(self) -> Any:
        """The outcome; None while it waits for a guess."""
        verdict = self._prediction.to_dict()["verdict"]
        return None if verdict is None else verdict["happened"]

    def __str__(self) -> str:
        drawn = self._prediction.drawn()
        return str(self._prediction) if drawn["verdict"] is None else verdict_text(drawn)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        drawn = self._prediction.drawn()
        return to_html(drawn) if drawn["verdict"] is None else verdict_html(drawn)

    def to_dict(self) -> dict[str, Any]:
        """Return the prediction and its verdict as plain JSON: see :meth:`Prediction.to_dict`."""
        return self._prediction.to_dict()

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        return {"text/plain": str(self), "text/html": self._repr_html_(), PREDICTION_MIME: self.to_dict()}

    def _ipython_display_(self) -> None:
        self._prediction._shown.display_comparison()


class Prediction:
    """A question before the run, with several choices. See also :meth:`number`, :meth:`arrangement`, :meth:`order`.

    In a notebook it is a panel; elsewhere :meth:`lock` does the same as its button. A locked guess cannot be changed,
    and after the verdict none can be locked. A guess costs and earns no points: it is there because we remember what
    surprises us.

    :param choices: the answers, all different.
    :raises BadInput: there are fewer than 2 or more than 40 choices, or one comes twice.

    >>> guess = Prediction("Who leads P0 then?", [101, 103, "nobody"])
    >>> guess.lock(103)
    >>> guess.compare(101).right
    False
    """

    __slots__ = ("__weakref__", "_changing", "_held", "_kind", "_lock", "_question", "_shown", "_verdict", "id")

    id: str
    _question: str
    _kind: Kind
    _lock: _Lock | None
    _held: _Result | None
    _verdict: dict[str, Any] | None
    _shown: Shown
    _changing: threading.RLock

    def __init__(self, question: str, choices: Sequence[object]) -> None:
        self._ask(question, Choice.of(choices))

    @classmethod
    def number(cls, question: str, *, unit: str = "", within: float = 0) -> Prediction:
        """Ask for a number.

        :param within: the tolerance: a guess that is off by this much is still right, in the same unit.
        :raises BadInput: the tolerance is not a number, or is below 0.
        """
        return cls._of(question, Number.of(unit, within))

    @classmethod
    def arrangement(
        cls, question: str, *, chips: Named, places: Named, several: bool = False, nowhere: str = "nobody"
    ) -> Prediction:
        """Ask where things belong: chips are dragged into places, or carried there by keyboard.

        :param chips: names, or names with labels (a mapping); ``"P0"`` is drawn in the colour of partition 0.
        :param places: names, or names with labels.
        :param several: whether a chip may be in several places, as a partition's replicas are.
        :param nowhere: the name for being in no place.
        """
        return cls._of(question, Arrangement.of(chips, places, several, nowhere))

    @classmethod
    def order(cls, question: str, things: Named) -> Prediction:
        """Ask for the order in which things come."""
        return cls._of(question, Order.in_row(things))

    @classmethod
    def _of(cls, question: str, kind: Kind) -> Prediction:
        made = cls.__new__(cls)
        made._ask(question, kind)
        return made

    def _ask(self, question: str, kind: Kind) -> None:
        for name, value in (
            ("id", uuid4().hex),
            ("_question", str(question)),
            ("_kind", kind),
            ("_lock", None),
            ("_held", None),
            ("_verdict", None),
            ("_changing", threading.RLock()),
            ("_shown", Shown(self)),
        ):
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{name} of a prediction cannot be set: it is answered once, with .lock(…)")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{name} of a prediction cannot be deleted")

    @property
    def question(self) -> str:
        """The text of the question."""
        return self._question

    @property
    def choices(self) -> tuple[str, ...]:
        """The answers to choose from; empty if the question is of another kind."""
        return self._kind.choices if isinstance(self._kind, Choice) else ()

    @property
    def guess(self) -> Any:
        """A copy of the locked guess: text, a number, ``{chip: [places]}`` or a list; None before the lock."""
        return None if self._lock is None else self._kind.plain(self._lock.guess)

    @property
    def locked_at(self) -> float | None:
        """Time of the lock, as Unix time in seconds; None before it."""
        return None if self._lock is None else self._lock.at

    def lock(self, guess: object) -> None:
        """Lock an answer; locking the same one again does nothing.

        :param guess: a choice; a number; ``{"P0": 101}``, or ``{"P0": [101, 102]}`` where several may be; a list.
        :raises BadInput: it is not a possible answer, another one is locked already, or the comparison was made.
        """
        self._commit(self._kind.guess, guess)

    def heard(self, raw: object) -> None:
        """Lock a guess that the page sends; as strict as :meth:`lock`."""
        self._commit(self._kind.heard, raw)

    def _commit(self, read: Callable[[object], Guess], given: object) -> None:
        with self._changing:
            guess = read(given)
            if self._lock is not None and guess == self._lock.guess:
                return
            if self._lock is not None:
                said = self._kind.words(self._lock.guess)
                raise BadInput(
                    f"This prediction has been locked since {clock(self._lock.at)} and cannot change: {said}"
                )
            if self._verdict is not None:
                raise BadInput("It is too late to predict: the result has been compared already.")
            object.__setattr__(self, "_lock", _Lock(guess, time.time()))
            if self._held is not None:
                self._judge(self._held)
        # Not while holding the lock: the view holds a lock of its own when it asks for the data to draw.
        self._shown.again()

    def compare(self, happened: object, because: str = "", *, of: Snapshot | HasState | None = None) -> Comparison:
        """Compare the guess with what happened; after that no guess can be locked.

        Without a guess it does not tell what happened yet: the verdict comes with the guess, or with :meth:`reveal`.

        :param happened: a value read from the cluster or, better, a function that reads it from the cluster's state: a
            function of a :class:`~kafkalab.state.model.Snapshot`, or one from
            :mod:`kafkalab.exercises.predict.answers`.
        :param because: the reason, in a sentence.
        :param of: for a function: the cluster, or a snapshot of it.
        :raises BadInput: what happened is not a possible answer, or only one of the function and ``of`` was given.
        :raises KafkalabError: the cluster cannot be asked, or its state does not hold the answer.

        >>> guess.compare(leader_of("trucks_gps", 0), of=cluster)  # doctest: +SKIP
        """
        answer, at = answered(happened, of)
        result = _Result(answer.value, answer.says, str(because), at)
        with self._changing:
            if self._lock is None and self._verdict is None:
                self._kind.judge(None, result.value, result.says)  # refuses what is not a possible answer
                object.__setattr__(self, "_held", result)
            else:
                self._judge(result)
        self._shown.again()
        return Comparison(self, result.because, at)

    def reveal(self) -> None:
        """Show the verdict without a guess; before the comparison, and after the verdict, it does nothing."""
        with self._changing:
            if self._held is None:
                return
            self._judge(self._held)
        self._shown.again()

    def _judge(self, result: _Result) -> None:
        locked = None if self._lock is None else self._lock.guess
        judged = self._kind.judge(locked, result.value, result.says)
        parts = [asdict(part) for part in judged.parts]
        verdict = {
            "right": judged.right, "head": judged.head, "was": judged.was, "happened": judged.happened,
            "off": judged.off, "because": result.because, "at": result.at, "parts": parts, **judged.drawing,
        }  # fmt: skip
        object.__setattr__(self, "_held", None)
        object.__setattr__(self, "_verdict", verdict)

    def to_dict(self) -> dict[str, Any]:
        """Return the prediction as plain JSON, as a notebook stores it for programs: see docs/views.md.

        ``{"id", "kind", "question", "offered", "phase", "guess", "locked_at", "verdict"}``; ``phase`` is open, locked
        or compared; ``verdict`` is None before the comparison, then
        ``{"right", "happened", "because", "at", "parts": [{"name", "said", "was", "right", "says", "gap"}]}``.
        """
        with self._changing:
            verdict = self._verdict
            kept = ("right", "happened", "because", "at", "parts")
            return {
                "id": self.id, "kind": self._kind.name, "question": self._question, "offered": self._kind.offered(),
                "phase": self._phase(), "guess": self.guess, "locked_at": self.locked_at,
                "verdict": None if verdict is None else copy.deepcopy({name: verdict[name] for name in kept}),
            }  # fmt: skip

    def drawn(self) -> dict[str, Any]:
        """Return the data that :class:`kafkalab.views.predict.view.PredictView` draws."""
        with self._changing:
            lock = self._lock
            return {
                "id": self.id, "kind": self._kind.name, "question": self._question[:2000], **self._kind.drawn(),
                "phase": self._phase(), "held": self._held is not None, "locked": None if lock is None else lock.at,
                "guess": None if lock is None else self._kind.page(lock.guess),
                "said": "" if lock is None else self._kind.words(lock.guess),
                "verdict": copy.deepcopy(self._verdict),
            }  # fmt: skip

    def _phase(self) -> str:
        return "compared" if self._verdict is not None else "open" if self._lock is None else "locked"

    def __str__(self) -> str:
        return to_text(self.drawn())

    __repr__ = __str__

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        return {**self._shown.bundle(), PREDICTION_MIME: self.to_dict()}

    def _ipython_display_(self) -> None:
        self._shown.display()
