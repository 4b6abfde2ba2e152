"""ProgressView: the widget and the still forms of a learner's progress."""
