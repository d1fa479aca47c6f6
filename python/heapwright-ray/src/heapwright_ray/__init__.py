"""Searches of Heapwright on a Ray cluster."""

from .job import JobError, State, WorkerLost, run

__all__ = ["JobError", "State", "WorkerLost", "run"]
