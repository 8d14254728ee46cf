"""The word that marks the app's own inline scripts for the browser: app/web/headers.py tells it.

Only BertViz's are: its frame stands in the page as text and obeys the page's policy, and its data
change with every sentence, so that no hash could name them. Nobody knows the word before the
process has begun, and no page shows it to styles or scripts.
"""

from secrets import token_urlsafe
from typing import Final

NONCE: Final = token_urlsafe(16)


def marked(script: str) -> str:
    """A script element that may run. Raises ValueError for what would end it early."""
    if "</script" in script.lower() or "<!--" in script:
        raise ValueError("a script would end its own element")
    return f'<script nonce="{NONCE}">{script}</script>'
