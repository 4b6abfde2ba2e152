"""The engine of the exercises: it judges answers, keeps progress, and compares predictions with what happened."""
