"""Parts of the port over the services, by what they are about; `tui.home` puts them together."""
