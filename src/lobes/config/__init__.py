"""Settings and the platform's folders."""
