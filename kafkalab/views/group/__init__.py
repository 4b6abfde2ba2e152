"""GroupView: the widget, and the picture it draws, also as tables."""
