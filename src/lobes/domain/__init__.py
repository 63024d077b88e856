"""The words and rules of Lobes: frozen values, ids, closed unions. Imports nothing of ours."""
