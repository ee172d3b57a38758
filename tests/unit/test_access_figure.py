"""A warp's request as a picture: counted from the traced addresses, drawn only where a program holds a contrast, read without a script."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from gpubites.cuda_example import Traced
from gpubites.library import Library
from gpubites.render.access_figure import access_figures, compared, read_request, says


def traced(sample: str, space: str = "global", size: int = 4, line: int = 1, access: str = "load") -> Traced:
    return Traced(line, f"kernel<{line}>", space, access, size, 1, None, None, 0, 0, 32.0, sample)


def stride(words: int, size: int = 4) -> str:
    return " ".join(str(4 * words * lane * size // 4) for lane in range(32))


@pytest.mark.parametrize(
    ("access", "cost"),
    [
        (traced(stride(1)), 4),
        (traced(stride(2)), 8),
        (traced(stride(8)), 32),
        (traced(stride(1, 16), size=16), 16),
        (traced(" ".join(["12"] * 32)), 1),
        (traced(stride(1), "shared"), 1),
        (traced(stride(2), "shared"), 2),
        (traced(stride(32), "shared"), 32),
        (traced(stride(33), "shared"), 1),
        (traced(stride(1, 16), "shared", size=16), 4),
        (traced(" ".join(["12"] * 32), "shared"), 1),
    ],
)
def test_a_request_costs_the_sectors_or_wavefronts_that_follow_by_hand(access: Traced, cost: int) -> None:
    request = read_request(access)
    assert request and len(request.shares) == cost
    assert {lane for share in request.shares for lane in share.lanes} == set(range(32)), "every lane is served"


def test_every_recorded_sample_costs_at_least_what_the_trace_says_of_its_line(library: Library) -> None:
    checked = 0
    for snippet in library.snippets.values():
        for row in snippet.cuda.host.trace if snippet.cuda and snippet.cuda.host else ():
            request = read_request(row)
            per_request = row.wavefronts_per_request if row.space == "shared" else row.sectors_per_request
            if request and per_request:
                # The sample is the costliest request, so it lies at the mean or above.
                assert len(request.shares) >= per_request, (snippet.name, row)
                checked += 1
    assert checked > 100


def test_a_lane_that_took_no_part_is_not_served() -> None:
    request = read_request(traced(" ".join("-" if lane % 2 else str(4 * lane) for lane in range(32))))
    assert request and request.lanes == tuple(range(0, 32, 2))
    assert request.shares[0].lanes == (0, 2, 4, 6)
    html = access_figures([request], {1: "x[i]"})
    assert html.count('<path class="off"') == 16


@pytest.mark.parametrize("sample", ["", "0 4 8", " ".join(["-"] * 32)])
def test_what_is_no_sample_gives_no_picture(sample: str) -> None:
    assert read_request(traced(sample)) is None
    assert compared([traced(sample), traced(sample, line=2)]) is None


def test_the_wasteful_request_comes_first_and_the_thrifty_one_of_its_kind_beside_it() -> None:
    rows = [traced(stride(1)), traced(stride(8), line=2), traced(stride(1), line=3, access="store"), traced(stride(32), "shared", line=4)]
    pair = compared(rows)
    assert pair and [request.traced.line for request in pair] == [2, 1], "32 wavefronts have no thriftier twin: the sectors are shown"
    pair = compared([*rows, traced(stride(33), "shared", line=5)])
    assert pair and [request.traced.line for request in pair] == [4, 5], "the greater contrast"


def test_a_program_without_waste_shows_widths_or_nothing() -> None:
    assert compared([traced(stride(1)), traced(stride(1), line=2)]) is None
    pair = compared([traced(stride(1, 16), size=16), traced(stride(1), line=2)])
    assert pair and [request.traced.access_bytes for request in pair] == [4, 16]


def test_one_active_lane_is_no_contrast() -> None:
    lonely = "0 " + " ".join(["-"] * 31)
    assert compared([traced(lonely, line=2), traced(stride(1))]) is None


def test_the_picture_says_in_words_what_it_shows(library: Library) -> None:
    snippet = library.snippets["snippets/bank-conflicts/transpose_tile.cu"]
    assert snippet.cuda and snippet.cuda.host
    pair = compared(snippet.cuda.host.trace)
    assert pair and [len(request.shares) for request in pair] == [32, 1]
    assert says(pair[0]) == "32 lanes load 4 bytes each, in 1 of 32 banks: 32 wavefronts."
    html = access_figures(pair, {pair[0].traced.line: "out[i] = tile[x][y];"})
    assert html.count(f'aria-label="{says(pair[0])}"') == 1 and html.count(f">{says(pair[0])}</p>") == 1
    assert "transpose_tile&lt;0&gt;" in html and "transpose_tile&lt;1&gt;" in html
    for drawing in html.split("<svg")[1:]:
        ElementTree.fromstring("<svg" + drawing.split("</svg>")[0] + "</svg>")


def test_an_unaligned_access_reaches_one_sector_more() -> None:
    aligned, shifted = (read_request(traced(" ".join(str(4 * lane + first) for lane in range(32)))) for first in (0, 4))
    assert aligned and shifted and (len(aligned.shares), len(shifted.shares)) == (4, 5)
