"""The core: who may do what (`authorize`) and which lobes a Space may draw on (`resolve`)."""
