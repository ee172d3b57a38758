"""Run small programs on one warp: one instruction at a time, for the lanes of an active mask."""

LANES = range(32)  # fact: cc-all-warp-size

# --8<-- [start:programs]
double = ["x = x * 2", "x = x + 1", "x = x % 10"]
halve = ["x = x // 2", "x = x - 1"]

programs = {  # ("if", condition, then, else) or ("while", condition, body)
    "all agree": ["x = lane", ("if", "lane < 32", double, halve), "y = x"],
    "two halves": ["x = lane", ("if", "lane < 16", double, halve), "y = x"],
    "every other": ["x = lane", ("if", "lane % 2", double, halve), "y = x"],
    "one lane": ["x = lane", ("if", "lane == 7", double, halve), "y = x"],
    "loop": ["x = lane", ("while", "x >= 8", ["x = x - 8"]), "y = x"],
}
trace = "every other"
# --8<-- [end:programs]


def execute(program, mask, registers, issued):
    """Run the statements for the lanes in `mask` and append (mask, instruction) for each issue."""

    def test(condition, lanes):
        issued.append((lanes, f"{condition} ?"))
        return {lane for lane in lanes if eval(condition, {}, registers[lane])}

    for statement in program:
        if isinstance(statement, str):
            issued.append((mask, statement))
            for lane in mask:
                exec(statement, {}, registers[lane])
        elif statement[0] == "if":
            _, condition, then, otherwise = statement
            taken = test(condition, mask)
            for side, body in ((taken, then), (mask - taken, otherwise)):
                if side:  # a side that no lane takes is never issued
                    execute(body, side, registers, issued)
        else:
            _, condition, body = statement
            looping = test(condition, mask)
            while looping:  # lanes that left the loop wait for the last one
                execute(body, looping, registers, issued)
                looping = test(condition, looping)


def issues(program):
    issued = []
    execute(program, set(LANES), {lane: {"lane": lane} for lane in LANES}, issued)
    return issued


print(f"{trace}: one line per issued instruction")
for mask, instruction in issues(programs[trace]):
    print("".join("#" if lane in mask else "." for lane in LANES), instruction)

print("\nprogram       issued  lane slots used")
for name, program in programs.items():
    issued = issues(program)
    used = sum(len(mask) for mask, _ in issued) / (len(LANES) * len(issued))
    print(f"{name:12} {len(issued):7} {used:16.0%}")
