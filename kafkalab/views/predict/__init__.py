"""PredictView: the widget and the static form of a prediction."""
