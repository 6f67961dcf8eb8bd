"""Waits for jobs."""

import time
from typing import Any, Callable, Generator, Mapping, Optional, TypeVar

from .errors import ComplianceError, ConnectionError, TimeoutError

_LONGEST_PAUSE = 5.0
"""Maximum polling interval, in seconds."""
_MAX_FAILURES = 10
"""Number of consecutive failed requests after which a wait fails."""

Job = TypeVar("Job", bound=Mapping[str, Any])


def wait(
    get: Callable[[], Generator[Any, Any, Job]], on_progress: Optional[Callable[[Job], Any]], deadline: Optional[float]
) -> Generator[Any, Any, Job]:
    """Polls a job until it has finished. Temporary errors end the wait only after 10 consecutive failed requests."""
    end = None if deadline is None else time.monotonic() + deadline
    seen, failures, pause = None, 0, 0.5
    while True:
        try:
            job = yield from get()
            failures = 0
            progress = (job["state"], job["processed_rows"])
            if progress != seen and on_progress:
                on_progress(job)
            seen = progress
            if job["finished_at"] is not None:
                return job
        except ComplianceError as error:
            failures += 1
            if not _is_temporary(error) or failures == _MAX_FAILURES:
                raise
        if end is not None and time.monotonic() + pause > end:
            raise TimeoutError("The job didn't finish within {} s. It wasn't canceled.".format(deadline))
        yield pause
        pause = min(pause * 1.5, _LONGEST_PAUSE)


def _is_temporary(error: ComplianceError) -> bool:
    status = error.status or 0
    return isinstance(error, (ConnectionError, TimeoutError)) or status == 429 or status >= 500
