"""What holds for every test: how hard Hypothesis tries, and that nothing reaches the network."""

import os
import socket
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

collect_ignore = ["typing"]  # read by mypy only: some lines there are wrong on purpose

# Shared machines stall now and then: a slow example says nothing about the code.
settings.register_profile("dev", deadline=None, max_examples=60)
settings.register_profile(
    "ci",
    deadline=None,
    max_examples=100,
    derandomize=True,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("nightly", deadline=None, max_examples=2_000, print_blob=True)

# Without a word it is "ci": the same draws for everybody. The others draw anew each time.
_PROFILES = ("dev", "ci", "nightly")
_LOOPBACK = ("localhost", "::1", "")
_REAL = {name: getattr(socket.socket, name) for name in ("connect", "connect_ex", "sendto")}


class NetworkTouchedError(RuntimeError):
    """A test tried to leave this machine."""


def pytest_configure() -> None:
    profile = os.environ.get("HYPOTHESIS_PROFILE", "ci")
    if profile not in _PROFILES:
        message = f"HYPOTHESIS_PROFILE is {profile!r}; choose one of {', '.join(_PROFILES)}"
        raise pytest.UsageError(message)
    settings.load_profile(profile)
    for name in _REAL:
        setattr(socket.socket, name, _guarded(name))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print what tests have told, seeds above all; it comes from other processes as well."""
    for outcome in ("passed", "failed"):
        for report in terminalreporter.getreports(outcome):
            for name, value in getattr(report, "user_properties", ()):
                if name == "told":
                    terminalreporter.write_line(value)


def pytest_unconfigure() -> None:
    for name, method in _REAL.items():
        setattr(socket.socket, name, method)


def _guarded(name: str) -> Any:
    def only_loopback(self: socket.socket, *args: Any) -> Any:
        address = args[-1]  # sendto takes the data, perhaps flags, then the address
        if isinstance(address, tuple) and not _is_loopback(str(address[0])):
            message = f"a test asked for {name} to {address!r}; tests use loopback servers only"
            raise NetworkTouchedError(message)
        return _REAL[name](self, *args)

    return only_loopback


def _is_loopback(host: str) -> bool:
    return host in _LOOPBACK or host.startswith("127.")
