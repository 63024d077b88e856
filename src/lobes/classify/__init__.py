"""The classifier: which secrets and personal data a text holds, by named detectors, offline.

`scan.scan` looks; `masking.masked` is what anybody sees of a text. Nothing of it is imported
before a text is there to be looked at.
"""

VERSION = 3
"""Goes up whenever a text may be judged otherwise than before: then every text is looked at
again."""
