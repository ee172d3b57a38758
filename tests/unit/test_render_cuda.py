"""A CUDA example on the page: no time without a recording, prediction and measurement side by side, a wrong one as a difference."""

from __future__ import annotations

from dataclasses import replace

from gpubites.bite import SnippetFence
from gpubites.cuda_example import GpuRun, Timed
from gpubites.library import Library
from gpubites.render.cuda import changed_lines, cuda_origin, render_cuda
from gpubites.snippet import Snippet

FENCE = SnippetFence(1, "cuda", "vector_copy.cu", "kernel", ())
TIMED = Timed("copy_words", 262144, 256, 31, 250.0, 240.0, 260.0, 512_000_000, 0)
FASTER = replace(TIMED, kernel="copy_vectors", median=125.0)
RUN = GpuRun("NVIDIA H200", "580.65.06", "2026-12-01T10:00:00+00:00", 4096, (TIMED, FASTER), "")


def example(library: Library, *runs: GpuRun) -> Snippet:
    snippet = library.snippets["snippets/memory-hierarchy/vector_copy.cu"]
    assert snippet.cuda
    return replace(snippet, cuda=replace(snippet.cuda, gpus=runs))


def test_without_a_recording_the_page_shows_no_time(library: Library) -> None:
    html = render_cuda(example(library), FENCE, True, None, "sass.txt")
    assert "Not yet measured on a GPU, so no time is shown." in html
    assert "µs" not in html and "GB/s" not in html
    assert cuda_origin(example(library)).endswith("run on the CPU host · not yet measured on a GPU")


def test_prediction_and_measurement_stand_side_by_side(library: Library) -> None:
    html = render_cuda(example(library, RUN), FENCE, True, None, "sass.txt")
    assert "Measured on NVIDIA H200, at 4,096 times the size that is shown" in html
    assert "<td>512,000,000</td><td>250.0</td><td>240.0 to 260.0</td><td>2,048 GB/s</td><td>2.0 x</td>" in html
    assert cuda_origin(example(library, RUN)).endswith("measured on NVIDIA H200")


def test_the_same_output_on_both_is_told(library: Library) -> None:
    snippet = example(library)
    assert snippet.cuda and snippet.cuda.host
    same = example(library, replace(RUN, output=snippet.cuda.host.output))
    assert "The same lines were printed on the CPU." in render_cuda(same, FENCE, True, None, "")
    assert "The same lines" not in render_cuda(example(library, RUN), FENCE, True, None, "")


def test_accesses_and_machine_code_stand_beside_their_source_lines(library: Library) -> None:
    html = render_cuda(example(library), FENCE, True, None, "sass.txt")
    assert "<code>if (i &lt; n) out[i] = in[i];</code></th><td>global</td><td>load</td><td>128</td><td>16</td>" in html
    assert "LDG.E.128" in html and 'href="sass.txt"' in html


def test_a_second_part_of_a_file_shows_its_source_only(library: Library) -> None:
    html = render_cuda(example(library), FENCE, False, None, "sass.txt")
    assert "copy_vectors" in html and "<table" not in html and "frame-output" not in html


def test_a_wrong_program_is_shown_as_a_difference_with_its_finding(library: Library) -> None:
    wrong = library.snippets["snippets/reduction/block_sum.wrong.cu"]
    html = render_cuda(wrong, replace(FENCE, src=wrong.name), True, library.snippets[wrong.right_path], "")
    assert "Wrong on purpose." in html and "race in shared memory" in html
    assert "-    __syncthreads();" in html


def test_only_what_differs_is_a_change() -> None:
    assert changed_lines("a\nb\nc\n", "a\nc\n") == [" a", "-b", " c"]
    assert changed_lines("// gpu: scale=2\na\n", "a\n") == []
