"""DurabilityView: the widget, the picture it draws, and its static form."""
