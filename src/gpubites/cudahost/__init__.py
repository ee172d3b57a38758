"""CUDA C++ on the CPU: every thread a fiber, every access checked. `check_program` is the way in; docs/about/cuda.md tells the rest."""

from gpubites.cudahost.check import Report, TraceLine, check_program
from gpubites.cudahost.findings import Problem

__all__ = ["Problem", "Report", "TraceLine", "check_program"]
