"""Machine code beside source lines: what nvdisasm prints becomes values, and the recorded form gives them back."""

from __future__ import annotations

import pytest

from gpubites.run.sass import Instruction, listing, parse_sass, sass_text

NVDISASM = """\
	.target	sm_90

//--------------------- .text._Z4copyPf          --------------------------
	.section	.text._Z4copyPf,"ax",@progbits
_Z4copyPf:
.text._Z4copyPf:
	//## File "/somewhere/copy.cu", line 5
        /*0000*/                   LDC R1, c[0x0][0x28] ;
	//## File "/toolkit/include/sm_30_intrinsics.hpp", line 118 inlined at "/somewhere/copy.cu", line 8
        /*0010*/              @!P0 SHFL.DOWN PT, R3, R2, 0x10, 0x1f ;
	//## File "/toolkit/include/mma.hpp", line 91
        /*0020*/                   LDG.E.128 R4, desc[UR4][R2.64] ;
        /*0030*/                   NOP ;
.L_x_0:
        /*0040*/                   EXIT ;
"""


def test_an_inlined_instruction_belongs_to_the_line_that_calls() -> None:
    load, shuffle, wide, leave = listing(NVDISASM, "copy.cu")
    assert (load.kernel, load.line, load.text) == ("_Z4copyPf", 5, "LDC R1, c[0x0][0x28]")
    assert (shuffle.line, shuffle.opcode, shuffle.telling) == (8, "SHFL.DOWN", True)
    assert wide.line == 0, "only a header is named"
    assert not leave.telling, "NOP is left out, EXIT tells nothing"


def test_the_recorded_form_gives_the_instructions_back() -> None:
    found = [*listing(NVDISASM, "copy.cu"), Instruction("tile<32>", 12, "BAR.SYNC.DEFER_BLOCKING 0x0")]
    assert list(parse_sass(sass_text(found))) == found


def test_a_dummy_that_never_runs_is_not_told() -> None:
    assert not Instruction("copy", 3, "@!PT LDS RZ, [RZ]").telling


def test_text_before_any_kernel_is_refused() -> None:
    with pytest.raises(ValueError, match="no instruction of a kernel"):
        list(parse_sass("    12  EXIT\n"))
