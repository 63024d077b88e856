"""The index engine: derived from the store and the packs, disposable at any moment."""
