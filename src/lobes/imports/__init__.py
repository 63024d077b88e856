"""Reading other tools' files for an import: bounded, deterministic, and writing nothing.

`recognise.recognise` names the format of a path; `reading.read` gives its candidates and what was
left aside. Text from these files is data: it is never run, obeyed or extracted to disk.
"""
