"""Hook of the site: its pages are files of the repository, wherever these lie, under their own paths.

So a link from one file to another leads to the same place on the site as in the repository, and no page
has to be copied or included.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

ASSETS = (
    *("docs/gallery/*", "docs/images/*", "docs/site/*.css", "docs/site/*.js"),
    "student_template/pictures/*",
)


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Keep what the theme brings; add the pages of the navigation and what they show."""
    root = Path(config.config_file_path).parent
    for file in [file for file in files if file.src_dir == config.docs_dir]:
        files.remove(file)
    pictures = (path.relative_to(root).as_posix() for asset in ASSETS for path in sorted(root.glob(asset)))
    for name in (*_pages(config.nav), *pictures):
        files.append(File.generated(config, name, abs_src_path=str(root / name)))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Have what is folded read as Markdown, as it is elsewhere."""
    return markdown.replace("<details>", '<details markdown="1">')


def _pages(nav: Any) -> Iterator[str]:
    if isinstance(nav, str):
        yield nav
    else:
        for part in nav.values() if isinstance(nav, dict) else nav or ():
            yield from _pages(part)
