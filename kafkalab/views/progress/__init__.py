"""ProgressView: the widget and the static form of a learner's progress."""
