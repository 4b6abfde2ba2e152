"""PredictView: the widget and the still forms of a prediction."""
