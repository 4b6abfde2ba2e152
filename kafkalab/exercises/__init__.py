"""The engine of exercises: it judges answers, keeps progress, and compares predictions with what happened."""
