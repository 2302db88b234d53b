"""Imported by every Python program that `verify` runs (PYTHONPATH): each process starts at the same
time of the clock and draws the same random numbers, so that the answers of two runs can be compared.
Connections that fail are recorded in a file."""

import datetime
import os
import random
import socket
import time

_RECORD = __RECORD__
_START = __START__

# The clock counts whole seconds from the start; within a second, each question adds a millisecond.
_started = time.monotonic()
_asked = [0, 0]


def _now():
    """Returns the time in milliseconds."""
    second = int(time.monotonic() - _started)
    if second > _asked[0]:
        _asked[:] = [second, 0]
    _asked[1] = min(_asked[1] + 1, 999)
    return _START + _asked[0] * 1000 + _asked[1]


def _seconds():
    return _now() / 1000


class _Function:
    """A function that is no method where a class has it, as those of the system."""

    def __init__(self, call):
        self._call = call

    def __call__(self, *given):
        return self._call(*given)


def _seconds_of(given):
    return given[0] if given and given[0] is not None else _now() // 1000


_gmtime, _localtime, _ctime, _asctime, _strftime = time.gmtime, time.localtime, time.ctime, time.asctime, time.strftime
time.time = _Function(_seconds)
time.time_ns = _Function(lambda: _now() * 1_000_000)
time.gmtime = _Function(lambda *given: _gmtime(_seconds_of(given)))
time.localtime = _Function(lambda *given: _localtime(_seconds_of(given)))
time.ctime = _Function(lambda *given: _ctime(_seconds_of(given)))
time.asctime = _Function(lambda *given: _asctime(*(given or (time.localtime(),))))
time.strftime = _Function(lambda form, *given: _strftime(form, *(given or (time.localtime(),))))


class _OfReal(type):
    """The class of a class that stands for another one: what C makes is of the other one."""

    def __instancecheck__(cls, value):
        return isinstance(value, cls.__mro__[1])

    def __subclasscheck__(cls, other):
        return issubclass(other, cls.__mro__[1])


_DateTime, _Date = datetime.datetime, datetime.date


class _SteadyDateTime(_DateTime, metaclass=_OfReal):
    @classmethod
    def now(cls, tz=None):
        return cls.fromtimestamp(_seconds(), tz)

    @classmethod
    def today(cls):
        return cls.fromtimestamp(_seconds())

    @classmethod
    def utcnow(cls):
        return cls.fromtimestamp(_seconds(), datetime.timezone.utc).replace(tzinfo=None)


class _SteadyDate(_Date, metaclass=_OfReal):
    @classmethod
    def today(cls):
        return cls.fromtimestamp(_seconds())


for _name, _class in (("datetime", _SteadyDateTime), ("date", _SteadyDate)):
    _class.__name__ = _class.__qualname__ = _name
    _class.__module__ = "datetime"
    setattr(datetime, _name, _class)

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
