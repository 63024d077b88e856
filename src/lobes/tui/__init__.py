"""The terminal app: painted screens over the services. No rule and no query lives here."""
