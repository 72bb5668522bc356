"""Addresses of object stores, through fsspec, which is imported only when one is opened."""

from __future__ import annotations

import re
from typing import Any

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
"""A drive of Windows has one letter."""


def is_url(path: str) -> bool:
    """Whether a text is an address such as ``s3://bucket/drive.lvx``."""
    return _URL.match(path) is not None


def find(url: str) -> tuple[Any, str]:
    """The file system of an address, and the path there."""
    try:
        import fsspec
    except ImportError as error:
        raise ImportError(f"{url}: addresses are read through fsspec: pip install fsspec") from error
    system, path = fsspec.core.url_to_fs(url)
    return system, path


def below(url: str) -> list[str]:
    """The files below an address, in order of name; the address itself if it is a file."""
    system, path = find(url)
    if not _is_folder(system, path):
        return [url]
    return [system.unstrip_protocol(one) for one in sorted(system.find(path))]


def _is_folder(system: Any, path: str) -> bool:
    try:
        info = system.info(path)
    except FileNotFoundError:
        return False
    # A file of a web server may list others: only pages are read to find out.
    is_file = info["type"] == "file" and info.get("mimetype", "") != "text/html"
    return not is_file and bool(system.isdir(path))
