"""ClusterView: the widget, the picture it draws, and its still forms."""
