"""The classifier: which secrets and personal data a text holds, by named detectors, offline."""
