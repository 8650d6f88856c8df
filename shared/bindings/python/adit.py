"""adit: HTML pages to Markdown, text and canonical JSON, by libadit.

    import adit
    page = adit.convert(html, "https://example.com/post")      # bytes in any charset, or a str
    page.title, page.md, page.fingerprint

One file over the shared library, by ctypes. Any number of threads may call it: each has a converter of its own, and the interpreter's lock
is not held while a page is converted. The library is the one beside this file (wheels have it), else ADIT_LIBRARY, else the system's.
"""
from __future__ import annotations

import ctypes
import ctypes.util
import json
import os
import threading
from dataclasses import dataclass, field
from typing import Any, Dict, Iterable, Iterator, Mapping, Optional, Tuple, Union

__all__ = ["AditError", "FORMATS", "Page", "RULES_VERSION", "VERSION", "check", "convert", "fingerprint"]

_RESULTS = ("SUCCESS", "NO_MEMORY", "TOO_LARGE", "BAD_URL", "NOT_HTML", "NO_CONTENT", "BAD_INPUT", "UNKNOWN", "NO_PAGE")
_FIELDS = ("url", "title", "description", "author", "published", "modified", "language", "canonical", "site_name", "charset")
_REFUSALS = ("noindex", "noarchive", "nofollow", "optout")
_WHOLE, _PLAIN, _FRONT_MATTER, _FINGERPRINT_Z = 1, 2, 1, 72
_RICH = ("md", "html")  # formats that have a place for links and emphasis inside texts

Headers = Union[Mapping[str, str], Iterable[Tuple[str, str]]]


class AditError(ValueError):
    """A page or document that cannot be taken; code is NOT_HTML, NO_CONTENT, BAD_URL, TOO_LARGE, …"""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message or code)
        self.code = code


@dataclass(frozen=True)
class Page:
    """What a page says of itself ("" where it says nothing), and the formats that were asked for."""

    url: str
    title: str
    description: str
    author: str
    published: str
    modified: str
    language: str
    canonical: str
    site_name: str
    charset: str
    noindex: bool
    noarchive: bool
    nofollow: bool
    optout: bool
    fingerprint: str
    formats: Dict[str, bytes] = field(repr=False)

    def _text(self, name: str) -> str:
        try:
            return self.formats[name].decode("utf-8")
        except KeyError:
            raise AttributeError(f"the page was not converted to {name}: formats=({name!r},)") from None

    @property
    def md(self) -> str:
        return self._text("md")

    @property
    def text(self) -> str:
        return self._text("text")

    @property
    def html(self) -> str:
        return self._text("html")

    @property
    def tct(self) -> str:
        return self._text("tct")

    @property
    def scp(self) -> str:
        return self._text("scp")


class _Source(ctypes.Structure):
    _fields_ = [("sizeof_source", ctypes.c_size_t), ("url", ctypes.c_char_p), ("headers", ctypes.c_char_p), ("date", ctypes.c_char_p),
                ("language", ctypes.c_char_p), ("flags", ctypes.c_uint)]


def _load() -> ctypes.CDLL:
    beside = os.path.join(os.path.dirname(os.path.abspath(__file__)), "libadit.so.0")
    path = os.environ.get("ADIT_LIBRARY") or (beside if os.path.exists(beside) else ctypes.util.find_library("adit")) or "libadit.so.0"
    lib = ctypes.CDLL(path)
    pointer, size, text = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_char_p
    out_text, out_size = ctypes.POINTER(ctypes.c_void_p), ctypes.POINTER(ctypes.c_size_t)
    calls: Dict[str, Tuple[Any, Tuple[Any, ...]]] = {
        "libadit_alloc_converter": (pointer, ()),
        "libadit_free_converter": (None, (pointer,)),
        "libadit_convert": (ctypes.c_int, (pointer, text, size, ctypes.POINTER(_Source))),
        "libadit_write": (ctypes.c_int, (pointer, text, ctypes.c_uint, out_text, out_size)),
        "libadit_get": (pointer, (pointer, ctypes.c_int, out_size)),
        "libadit_refusals": (ctypes.c_uint, (pointer,)),
        "libadit_error": (text, (pointer,)),
        "libadit_format": (text, (size,)),
        "libadit_fingerprint": (ctypes.c_int, (pointer, text)),
        "libadit_fingerprint_payload": (ctypes.c_int, (pointer, text, size, text)),
        "libadit_fingerprint_text": (ctypes.c_int, (pointer, text, size, text)),
        "libadit_check": (ctypes.c_int, (pointer, text, size, out_text, out_size)),
        "libadit_version": (text, ()),
        "libadit_rules_version": (text, ()),
    }
    for name, (result, arguments) in calls.items():
        function = getattr(lib, name)
        function.restype, function.argtypes = result, arguments
    return lib


_lib = _load()


def _formats() -> Iterator[str]:
    number = 0
    while (name := _lib.libadit_format(number)) is not None:
        yield name.decode()
        number += 1


VERSION: str = _lib.libadit_version().decode()
RULES_VERSION: str = _lib.libadit_rules_version().decode()
FORMATS: Tuple[str, ...] = tuple(_formats())


class _Converter:
    """A converter of the library, freed with its thread."""

    def __init__(self) -> None:
        self.free = _lib.libadit_free_converter  # at the interpreter's end globals may be gone before this
        self.c = _lib.libadit_alloc_converter()
        if not self.c:
            raise MemoryError("adit")

    def __del__(self) -> None:
        if getattr(self, "c", None):
            self.free(self.c)

    def judge(self, code: int) -> None:
        if code == 1:
            raise MemoryError("adit")
        if code:
            raise AditError(_RESULTS[code], (_lib.libadit_error(self.c) or b"").decode())

    def taken(self, call: Any, *arguments: Any, valid: Tuple[int, ...] = (0,)) -> bytes:
        """The bytes that a call gives by a pointer and a length."""
        p, n = ctypes.c_void_p(), ctypes.c_size_t()
        code = call(self.c, *arguments, ctypes.byref(p), ctypes.byref(n))
        if code not in valid:
            self.judge(code)
        return ctypes.string_at(p.value, n.value) if p.value else b""

    def hash(self, call: Any, *arguments: Any) -> str:
        out = ctypes.create_string_buffer(_FINGERPRINT_Z)
        self.judge(call(self.c, *arguments, out))
        return out.value.decode()


_local = threading.local()


def _converter() -> _Converter:
    c: Optional[_Converter] = getattr(_local, "converter", None)
    if c is None:
        c = _local.converter = _Converter()
    return c


def _z(value: Optional[str]) -> Optional[bytes]:
    if value is not None and "\0" in value:
        raise ValueError("a NUL character in a text")
    return None if value is None else value.encode("utf-8")


def _header_lines(headers: Optional[Headers], is_text: bool) -> Optional[str]:
    """Header fields as lines; a str was decoded already, so its bytes are UTF-8 whatever the response said."""
    pairs = list(headers.items() if isinstance(headers, Mapping) else headers or ())
    lines = [f"{name}: {value}".replace("\r", " ").replace("\n", " ") for name, value in pairs if not (is_text and name.lower() == "content-type")]
    if is_text:
        lines.append("Content-Type: text/html; charset=utf-8")
    return "\n".join(lines) or None


def _bytes(value: Union[str, bytes, bytearray, memoryview]) -> bytes:
    return value.encode("utf-8", "surrogatepass") if isinstance(value, str) else bytes(value)


def convert(html: Union[str, bytes, bytearray, memoryview], url: Optional[str] = None, *, formats: Iterable[str] = ("md",),
            headers: Optional[Headers] = None, date: Optional[str] = None, language: Optional[str] = None, whole: bool = False,
            front_matter: bool = False) -> Page:
    """Converts a page. url: its absolute address; None: what the page states. headers: of its response. date: when it was fetched,
    RFC 3339. Raises AditError."""
    formats = (formats,) if isinstance(formats, str) else tuple(formats)
    body, c = _bytes(html), _converter()
    flags = (_WHOLE if whole else 0) | (0 if any(f in _RICH for f in formats) else _PLAIN)
    source = _Source(ctypes.sizeof(_Source), _z(url), _z(_header_lines(headers, isinstance(html, str))), _z(date), _z(language), flags)
    c.judge(_lib.libadit_convert(c.c, body, len(body), ctypes.byref(source)))
    facts: Dict[str, Any] = {}
    for number, name in enumerate(_FIELDS):
        n = ctypes.c_size_t()
        p = _lib.libadit_get(c.c, number, ctypes.byref(n))
        facts[name] = ctypes.string_at(p, n.value).decode("utf-8")
    refused = _lib.libadit_refusals(c.c)
    facts.update({name: bool(refused & (1 << bit)) for bit, name in enumerate(_REFUSALS)})
    written = {name: c.taken(_lib.libadit_write, _z(name), _FRONT_MATTER if front_matter else 0) for name in formats}
    return Page(fingerprint=c.hash(_lib.libadit_fingerprint), formats=written, **facts)


def fingerprint(value: Union[str, bytes], method: str = "a") -> str:
    """The fingerprint of a JSON payload (method "a") or of a content string ("b")."""
    if method not in ("a", "b"):
        raise ValueError("method is 'a' or 'b'")
    data = _bytes(value)
    return _converter().hash(_lib.libadit_fingerprint_text if method == "b" else _lib.libadit_fingerprint_payload, data, len(data))


def check(document: Union[str, bytes]) -> Dict[str, Any]:
    """Judges a TCT payload or sitemap, an SCP collection or page, a manifest: {"kind", "valid", "findings"}. Raises AditError UNKNOWN for
    anything else."""
    data = _bytes(document)
    return dict(json.loads(_converter().taken(_lib.libadit_check, data, len(data), valid=(0, 6))))
