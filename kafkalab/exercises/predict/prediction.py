"""Prediction: a guess that is locked before the run, and compared afterwards with what the cluster did."""

from __future__ import annotations

import copy
import sys
import threading
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal
from uuid import uuid4

from kafkalab.errors import BadInput
from kafkalab.exercises.predict.answers import Answer, HasState, answered
from kafkalab.exercises.predict.kinds import Arrangement, Choice, Guess, Kind, Named, Number, Order
from kafkalab.exercises.result import card
from kafkalab.state.model import Snapshot
from kafkalab.views.predict.picture import Picture, Verdict, blocks, clock, verdict_blocks
from kafkalab.views.static import Block, to_html, to_text

if TYPE_CHECKING:
    from kafkalab.views.predict.view import PredictView

#: MIME type of the output in which a notebook stores a prediction for programs: see :meth:`Prediction.to_dict`.
PREDICTION_MIME: Final = "application/vnd.kafkalab.prediction+json"


class Comparison:
    """A prediction compared with what happened.

    In a notebook it shows the verdict. If no guess was locked, it shows the question again, and the verdict only after
    a guess or a press of "just show me"; the code goes on meanwhile. ``at``: the time of the snapshot that gave the
    answer, as Unix time in seconds; None if the caller gave the value itself.
    """

    def __init__(self, prediction: Prediction, answer: Answer, because: str, at: float | None) -> None:
        self._prediction, self._answer = prediction, answer
        self.because, self.at = because, at

    @property
    def guess(self) -> Any:
        """The locked guess, as :attr:`Prediction.guess` has it; None if there is none."""
        return self._prediction.guess

    @property
    def right(self) -> bool | None:
        """Whether the guess was right; None as long as there is no guess."""
        right: bool | None = (self.to_dict()["verdict"] or {}).get("right")
        return right

    @property
    def happened(self) -> Any:
        """The outcome; None while it waits for a guess."""
        return (self.to_dict()["verdict"] or {}).get("happened")

    def to_dict(self) -> dict[str, Any]:
        """Return the prediction and its verdict as plain JSON: see :meth:`Prediction.to_dict`."""
        return self._prediction.to_dict()

    def _blocks(self) -> list[Block]:
        drawn = self._prediction.drawn()
        verdict = drawn["verdict"]
        return blocks(drawn) if verdict is None else verdict_blocks(drawn, verdict)

    def __repr__(self) -> str:
        return to_text(self._blocks())

    def _repr_html_(self) -> str:
        return _panel(self._prediction.drawn()["verdict"], self._blocks())

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        """Return the verdict; while no guess is made, the question with its widget."""
        if self._prediction.to_dict()["verdict"] is None:
            return self._prediction._repr_mimebundle_()
        return {"text/plain": str(self), "text/html": self._repr_html_(), PREDICTION_MIME: self.to_dict()}

    def _ipython_display_(self) -> None:
        self._prediction._display(self, "-verdict")


class Prediction:
    """A question before the run, with several choices. See also :meth:`number`, :meth:`arrangement`, :meth:`order`.

    In a notebook it is a panel; elsewhere :meth:`lock` does the same as its button. A locked guess cannot be changed,
    and after the verdict none can be locked. A guess costs and earns no points: it is there because we remember what
    surprises us.

    A notebook stores what was displayed. So each change is displayed again under the same id, and after the lock the
    stored text holds the guess and its time. After the comparison no button is left, and the output is plain HTML: a
    notebook that is opened without its kernel can show that, where a widget would be an error.

    :param choices: the answers, all different.
    :raises BadInput: there are fewer than 2 or more than 40 choices, or one comes twice.

    >>> guess = Prediction("Who leads P0 then?", [101, 103, "nobody"])
    >>> guess.lock(103)
    >>> guess.compare(101).right
    False
    """

    def __init__(self, question: str, choices: Sequence[object]) -> None:
        self._ask(question, Choice(choices))

    @classmethod
    def number(cls, question: str, *, unit: str = "", within: float = 0) -> Prediction:
        """Ask for a number.

        :param within: the tolerance: a guess that is off by this much is still right, in the same unit.
        :raises BadInput: the tolerance is not a number, or is below 0.
        """
        return cls._of(question, Number(unit, within))

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
        return cls._of(question, Arrangement(chips, places, several, nowhere))

    @classmethod
    def order(cls, question: str, things: Named) -> Prediction:
        """Ask for the order in which things come."""
        return cls._of(question, Order(things))

    @classmethod
    def _of(cls, question: str, kind: Kind) -> Prediction:
        made = cls.__new__(cls)
        made._ask(question, kind)
        return made

    def _ask(self, question: str, kind: Kind) -> None:
        self.id = uuid4().hex
        self._question, self._kind = str(question), kind
        self._locked: tuple[Guess, float] | None = None
        self._held: Comparison | None = None
        self._verdict: Verdict | None = None
        self._changing = threading.RLock()
        self._view: PredictView | None = None
        #: What is displayed, by the end of its display id.
        self._displayed: dict[str, Prediction | Comparison] = {}

    @property
    def guess(self) -> Any:
        """A copy of the locked guess: text, a number, ``{chip: [places]}`` or a list; None before the lock."""
        return None if self._locked is None else self._kind.plain(self._locked[0])

    @property
    def locked_at(self) -> float | None:
        """Time of the lock, as Unix time in seconds; None before it."""
        return None if self._locked is None else self._locked[1]

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
            if self._locked is not None:
                said, at = self._locked
                if guess == said:
                    return
                locked = f"This prediction has been locked since {clock(at)} and cannot change"
                raise BadInput(f"{locked}: {self._kind.words(said)}")
            if self._verdict is not None:
                raise BadInput("It is too late to predict: the result has been compared already.")
            self._locked = (guess, time.time())
            if self._held is not None:
                self._judge(self._held)
        # Not while holding the lock: the view holds a lock of its own when it asks for the data to draw.
        self._draw_again()

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
        result = Comparison(self, answer, str(because), at)
        with self._changing:
            if self._locked is None and self._verdict is None:
                self._kind.judge(None, answer.value, answer.says)  # refuses what is not a possible answer
                self._held = result
            else:
                self._judge(result)
        self._draw_again()
        return result

    def reveal(self) -> None:
        """Show the verdict without a guess; before the comparison, and after the verdict, it does nothing."""
        with self._changing:
            if self._held is None:
                return
            self._judge(self._held)
        self._draw_again()

    def _judge(self, result: Comparison) -> None:
        guess = None if self._locked is None else self._locked[0]
        judged = self._kind.judge(guess, result._answer.value, result._answer.says)
        self._held, self._verdict = None, {**judged, "because": result.because, "at": result.at}

    def to_dict(self) -> dict[str, Any]:
        """Return the prediction as plain JSON, as a notebook stores it for programs: see docs/views.md.

        ``{"id", "kind", "question", "offered", "phase", "guess", "locked_at", "verdict"}``; ``phase`` is open, locked
        or compared; ``verdict`` is None before the comparison, then
        ``{"right", "happened", "because", "at", "parts": [{"name", "said", "was", "right", "says", "gap"}]}``.
        """
        with self._changing:
            kept = ("right", "happened", "because", "at", "parts")
            verdict = self._verdict and {name: one for name, one in self._verdict.items() if name in kept}
            return {
                "id": self.id, "kind": self._kind.name, "question": self._question, "offered": self._kind.offered(),
                "phase": self._phase(), "guess": self.guess, "locked_at": self.locked_at,
                "verdict": copy.deepcopy(verdict),
            }  # fmt: skip

    def drawn(self) -> Picture:
        """Return the data that :class:`kafkalab.views.predict.view.PredictView` draws."""
        with self._changing:
            guess, at = self._locked or (None, None)
            said = "" if self._locked is None else self._kind.words(self._locked[0])
            return {
                **self._kind.drawn(), "id": self.id, "question": self._question[:2000],
                "phase": self._phase(), "held": self._held is not None, "locked": at, "guess": copy.deepcopy(guess),
                "said": said, "verdict": copy.deepcopy(self._verdict),
            }  # fmt: skip

    def _phase(self) -> Literal["open", "locked", "compared"]:
        return "compared" if self._verdict is not None else "open" if self._locked is None else "locked"

    # How it is displayed

    @property
    def view(self) -> PredictView:
        """The widget, created at first use: widgets take time to load, and a text-only reader never needs them."""
        if self._view is None:
            from kafkalab.views.predict.view import PredictView

            self._view = PredictView(self.drawn, self.heard, self.reveal)
        return self._view

    def __repr__(self) -> str:
        return to_text(blocks(self.drawn()))

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        drawn = self.drawn()
        made = self.view._repr_mimebundle_() if drawn["verdict"] is None else None
        widget = {} if made is None else made[0]
        html = _panel(drawn["verdict"], blocks(drawn))
        return {**widget, "text/plain": str(self), "text/html": html, PREDICTION_MIME: self.to_dict()}

    def _ipython_display_(self) -> None:
        self._display(self, "")

    def _display(self, what: Prediction | Comparison, end: str) -> None:
        """Show the question or the comparison as a cell's output."""
        self._displayed[end] = what
        self._publish(end, update=False)

    def _draw_again(self) -> None:
        """Redraw the widget after a change, and update the output in every cell that shows it."""
        if self._view is not None:
            self._view.redraw()
        for end in list(self._displayed):
            self._publish(end, update=True)

    def _publish(self, end: str, *, update: bool) -> None:
        # IPython is loaded when it displays a prediction; kafkalab itself does not import it.
        shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
        # A terminal cannot take back what it has printed; only a notebook's kernel has outputs that change.
        if shell is not None and (not update or hasattr(shell, "kernel")):
            bundle, name = self._displayed[end]._repr_mimebundle_(), {"display_id": f"{self.id}{end}"}
            shell.display_pub.publish(bundle, {}, transient=name, update=update)


def _panel(verdict: Verdict | None, shown: list[Block]) -> str:
    """Return blocks as a card in a notebook's colours."""
    right = verdict["right"] if verdict else None
    kind = "note" if right is None else "right" if right else "wrong"
    return card(kind=kind, head="Predict, then run", aside="", body=to_html(shown))
