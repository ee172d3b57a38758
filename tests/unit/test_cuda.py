"""What ptxas and cuobjdump print becomes one value per kernel."""

from __future__ import annotations

import pytest

from gpubites.run.cuda import KernelFacts, Launch, compile_facts, kernel_facts
from gpubites.run.recording import Recording

PTXAS = """\
ptxas info    : 4 bytes gmem
ptxas info    : Compiling entry function '_Z4tileILi32EEvPfi' for 'sm_90'
ptxas info    : Function properties for _Z4tileILi32EEvPfi
    16 bytes stack frame, 12 bytes spill stores, 8 bytes spill loads
ptxas info    : Used 22 registers, used 1 barriers, 16 bytes cumulative stack size, 4224 bytes smem
ptxas info    : Compile time = 1.661 ms
ptxas info    : Function properties for _Z5twicef
    0 bytes stack frame, 96 bytes spill stores, 96 bytes spill loads
ptxas info    : Compiling entry function '_Z4copyPfPKf' for 'sm_90'
ptxas info    : Function properties for _Z4copyPfPKf
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 10 registers, used 0 barriers
"""

SASS = """\
	code for sm_90
		Function : _Z4tileILi32EEvPfi
	.headerflags	@"EF_CUDA_SM90"
        /*0000*/                   LDC R1, c[0x0][0x28] ;                        /* 0x00000a00ff017b82 */
                                                                                 /* 0x000ff00000000800 */
        /*0010*/               @P0 LDG.E.CONSTANT R2, desc[UR4][R2.64] ;
        /*0020*/             @!UP0 LDG.E.128 R4, desc[UR4][R2.64] ;
        /*0030*/              @!PT LDS RZ, [RZ] ;
        /*0040*/                   STS [R5], R2 ;
        /*0050*/                   BAR.SYNC.DEFER_BLOCKING 0x0 ;
        /*0060*/                   LDS.128 R8, [R5] ;
        /*0070*/                   LDSM.16.M88.4 R8, [R5] ;
        /*0080*/                   HMMA.16816.F32 R4, R4, R8, RZ ;
        /*0090*/                   HFMA2.MMA R4, -RZ, RZ, 0, 0 ;
        /*00a0*/                   REDG.E.ADD.F32.FTZ.RN.STRONG.GPU desc[UR4][R2.64], R7 ;
        /*00b0*/                   EXIT ;
        /*00c0*/                   NOP;
		Function : _Z4copyPfPKf
        /*0000*/                   LDG.E R2, desc[UR4][R2.64] ;
        /*0010*/                   STG.E desc[UR4][R4.64], R2 ;
"""


def tile_and_copy() -> tuple[KernelFacts, KernelFacts]:
    tile, copy = kernel_facts("sm_90", PTXAS, SASS, {"_Z4tileILi32EEvPfi": Launch(1024, 8192)})
    return tile, copy


def test_a_kernel_is_named_without_types_and_parameters() -> None:
    tile, copy = tile_and_copy()
    assert (tile.kernel, copy.kernel) == ("tile<32>", "copy")


def test_resources_belong_to_the_kernel_and_not_to_a_function_it_calls() -> None:
    tile, copy = tile_and_copy()
    assert (tile.registers, tile.barriers, tile.shared, tile.spill) == (22, 1, 4224, 20)
    assert (copy.registers, copy.barriers, copy.shared, copy.spill) == (10, 0, 0, 0)


def test_occupancy_is_that_of_the_first_launch() -> None:
    tile, copy = tile_and_copy()
    assert (tile.threads, tile.dynamic, tile.blocks, tile.warps, tile.limiter) == (1024, 8192, 2, 64, "warps+registers")
    assert (copy.threads, copy.blocks, copy.limiter) == (0, 0, "-"), "it is never launched"


def test_wide_loads_are_counted_among_all_loads() -> None:
    tile, copy = tile_and_copy()
    assert (tile.ldg, tile.ldg128) == (2, 1)
    assert (copy.ldg, copy.ldg128, copy.stg, copy.stg128) == (1, 0, 1, 0)


def test_an_instruction_that_never_runs_is_not_counted() -> None:
    tile, _ = tile_and_copy()
    assert tile.lds == 2, "@!PT LDS is a dummy"
    assert tile.instructions == 11, "NOP is padding"


def test_a_half_precision_add_is_no_tensor_core() -> None:
    tile, _ = tile_and_copy()
    assert tile.mma == 1, "HFMA2.MMA only carries the letters"


def test_newer_names_of_atomics_count() -> None:
    assert tile_and_copy()[0].atomic == 1


def test_a_body_that_is_no_table_is_refused() -> None:
    with pytest.raises(ValueError, match="open with the columns"):
        compile_facts(Recording({}, "kernel arch\ncopy sm_90\n"))
