"""Pure painting: a value and a width in, lines of cells out. Nothing here knows Textual."""
