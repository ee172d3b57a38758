"""Does a program start on this driver, and does its kernel launch on this GPU?"""

FLOOR = {  # oldest driver branch for a CUDA major version
    11: 450,  # fact: cuda11-min-driver
    12: 525,  # fact: cuda12-min-driver
    13: 580,  # fact: cuda13-min-driver
}
KNOWS = {  # driver branch: newest CUDA it knows
    535: 12.2,  # fact: driver-535-cuda
    570: 12.8,  # fact: driver-570-cuda
    580: 13.0,  # fact: driver-580-cuda
}
GPUS = {  # compute capability, data center product or not
    "A100": ("8.0", True), "RTX 4090": ("8.9", False),
    "H100": ("9.0", True), "B200": ("10.0", True),
}

# --8<-- [start:programs]
# name: (toolkit, machine code for, PTX for, driver, GPU, cuda-compat)
PROGRAMS = {
    "11.8, driver 580": (11.8, ["8.0"], "8.0", 580, "A100", None),
    "11.8, new GPU": (11.8, ["8.0"], "8.0", 580, "B200", None),
    "11.8, no PTX": (11.8, ["8.0"], None, 580, "B200", None),
    "12.8, driver 535": (12.8, ["8.0", "9.0"], "9.0", 535, "H100", None),
    "12.8, only PTX": (12.8, ["8.0"], "8.0", 535, "H100", None),
    "13.0, driver 535": (13.0, ["9.0"], "9.0", 535, "H100", None),
    "13.0, with compat": (13.0, ["9.0"], "9.0", 535, "H100", 13.0),
    "13.0, GeForce": (13.0, ["8.9"], "8.9", 535, "RTX 4090", 13.0),
}
# --8<-- [end:programs]


def cc(text):
    return tuple(int(part) for part in text.split("."))


def outcome(toolkit, codes, ptx, driver, gpu, compat):
    """The first rule that fails. A driver older than the GPU is not modeled."""
    device, data_center = GPUS[gpu]
    knows = max(KNOWS[driver], compat or 0)
    if compat and not data_center:
        return "804: compat, and not on this GPU"
    if not compat and driver < FLOOR[int(toolkit)]:
        return "35: driver below the floor"
    for code in codes:  # same major version, same or later minor
        if cc(code)[0] == cc(device)[0] and cc(code) <= cc(device):
            return "runs" if toolkit <= knows else "runs, without newer features"
    if ptx is None or cc(ptx) > cc(device):
        return "209: no code for this GPU"
    return "runs, compiled at load" if toolkit <= knows else "222: PTX too new"


for name, program in PROGRAMS.items():
    print(f"{name:20}{outcome(*program)}")
