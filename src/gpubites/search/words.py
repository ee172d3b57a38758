"""How a text falls into words for the search.

`web/core/search/words.js` does the same to a query; tests/search/words.json holds both to it.
"""

from __future__ import annotations

import re
import unicodedata

# A number with its decimals, unless letters follow (16bit); else letters and digits.
WORD = re.compile(r"\d+(?:[.,]\d+)*(?![A-Za-z0-9])|[A-Za-z0-9]+")
# FlashAttention is also two words, and cudaMalloc; GPUs is one.
HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
CPP = re.compile(r"\bC\+\+", re.IGNORECASE)
# Words that tell nothing: they would fetch every bite. Here once; the index hands them to the browser.
_STOP = """
a about after also am an and any anyone are aren as at be because been being but by can cannot could couldn did didn do does doesn
doing don done either else etc even ever every for from get gets getting give go goes going got had hadn has hasn have haven having
he help her here his how i if im in into is isn it its just know let like ll lot lots make makes making may me mean means might more
most much must my need needs no not of off on or our please re really s seem seems she should shouldn so some someone such t than
that the their them then there these they thing things this those though to too try trying us use used uses using ve versus very vs
was wasn way we were weren what whats when where whether which while who why will with won work works would wouldn you your
"""
STOP_WORDS = frozenset(_STOP.split())


def words_of(text: str) -> list[str]:
    """The words in order, lower-case, stop words and single letters left out; a word with humps, then its pieces."""
    found: list[str] = []
    flat = unicodedata.normalize("NFKD", CPP.sub("cpp", text))
    for match in WORD.finditer("".join(letter for letter in flat if not unicodedata.combining(letter))):
        word = match[0].replace(",", "")
        pieces = HUMP.split(word)
        found += [word, *pieces] if len(pieces) > 1 else [word]
    return [word for word in map(str.lower, found) if (len(word) > 1 or word.isdigit()) and word not in STOP_WORDS]
