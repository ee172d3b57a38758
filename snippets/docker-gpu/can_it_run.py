"""Which hosts can run an image built for a given CUDA version?"""

OLDEST_DRIVER = {
    11: 450,  # fact: cuda11-min-driver
    12: 525,  # fact: cuda12-min-driver
    13: 580,  # fact: cuda13-min-driver
}

# --8<-- [start:rule]
HOSTS = {  # driver branch: newest CUDA it knows, as nvidia-smi prints it
    535: "12.2",  # fact: driver-535-cuda
    570: "12.8",  # fact: driver-570-cuda
    580: "13.0",  # fact: driver-580-cuda
}
IMAGES = ["11.8", "12.2", "12.8", "12.9", "13.0"]


def version(text):
    return tuple(int(part) for part in text.split("."))


# --8<-- [start:verdict]
def verdict(image, driver):
    """Backward compatible, minor-version compatible, or too old."""
    if version(image) <= version(HOSTS[driver]):
        return "yes"
    major = version(image)[0]
    return "limited" if driver >= OLDEST_DRIVER[major] else "no"
# --8<-- [end:verdict]
# --8<-- [end:rule]


def row(head, cells):
    return (f"{head:<12}" + "".join(f"{cell:<13}" for cell in cells)).rstrip()


print(row("image", [f"driver {driver}" for driver in HOSTS]))
for image in IMAGES:
    print(row(f"CUDA {image}", [verdict(image, driver) for driver in HOSTS]))

print("\nyes      a newer driver runs older CUDA")
print("limited  same major version: no JIT of newer PTX,")
print("         no feature that needs a newer driver")
print("no       raise the driver; on data center GPUs")
print("         a cuda-compat package may help")
