"""Imported by every Python program that `verify` runs (PYTHONPATH): all processes draw the same
random numbers, so that the answers of two runs can be compared. Connections that fail are recorded
in a file."""

import os
import random
import socket

_RECORD = __RECORD__
_SEED = 0x9E3779B9

_chance = random.Random(_SEED)
os.urandom = random._urandom = _chance.randbytes

_seed = random.Random.seed


def _seeded(self, a=None, version=2):
    _seed(self, _SEED if a is None else a, version)


random.Random.seed = _seeded
random.seed(_SEED)


def _record(where):
    try:
        with open(_RECORD, "a", encoding="utf-8") as file:
            file.write(where + "\n")
    except OSError:
        pass


def _named(address):
    return "%s:%s" % address[:2] if isinstance(address, tuple) and len(address) > 1 else None


def _recorded(call, name):
    def recorded(*given, **more):
        try:
            return call(*given, **more)
        except (BlockingIOError, InterruptedError):
            raise
        except OSError:
            where = name(given)
            if where:
                _record(where)
            raise

    return recorded


_socket = socket.socket
_open = _socket.__init__


def _made(self, family=-1, *given, **more):
    try:
        _open(self, family, *given, **more)
    except OSError:
        if family != getattr(socket, "AF_UNIX", None):
            _record("a socket")
        raise


_socket.__init__ = _made
_connect = _socket.connect
_socket.connect = lambda self, address: _recorded(_connect, lambda given: _named(given[1]))(self, address)
socket.getaddrinfo = _recorded(socket.getaddrinfo, lambda given: _named(given) or str(given[:1]))
