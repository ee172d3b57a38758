"""Three teams share 32 GPUs and their CPU cores: who waits under each policy, and what a preempted job has to do again."""

from fractions import Fraction
from typing import Annotated

CAPACITY = (32, 256)  # GPUs, CPU cores
SAVING, STARTING = 1, 10  # minutes to write a checkpoint, and to start again from one
COLORS = {"A": "hot", "B": "cool", "C": "good"}

PREDICT = {"ask": "At 0:00 team A fills all 32 GPUs with jobs of 12 hours, and has more of them waiting. At 3:00 team B asks for 4 GPUs. All weigh the same. "
           "Fair share, nobody is preempted: how many hours does B wait?", "at": {"policy": "fair share"}, "unit": "hours"}
LEFT_OUT = ("Nodes: the GPUs are one pool, so no job is kept out by where they are. Also lending of quota, priorities, back-off, and jobs that can shrink. "
            "The jobs, the minute of a save and the ten minutes of a new start are assumptions. Fair share holds the cluster for the next job of the team with the least; nobody passes it.")


def simulate(
    policy: Annotated[str, ["first come", "quota", "fair share", "fair share, preempting"], "", "Policy"] = "fair share, preempting",
    hours: Annotated[int, [4, 12, 24], "hours", "A's jobs take"] = 12,
    save: Annotated[int, [15, 60, 120, 240, 480], "minutes", "Jobs save after"] = 240,
    weight: Annotated[int, [1, 2, 3, 4], "to 1", "A weighs"] = 1,
):
    jobs = trace(hours)
    done = run(jobs, policy, {"A": weight, "B": 1, "C": 1}, save)
    spent = {name: minutes / 60 for name, minutes in done["gpu_minutes"].items()}
    waits = {team: [wait for wait, job in zip(done["waits"], jobs) if job[0] == team] for team in COLORS}
    mean = {team: sum(all_of) / len(all_of) / 60 for team, all_of in waits.items()}  # of whole minutes: their sum is exact in every Python
    first = next(start for place, start, *_ in done["spans"] if jobs[place][0] == "B") - 3 * 60
    evicted = len(done["evictions"])
    preempted = f"{many(evicted, 'preemption')}: {many(round(spent['done again']), 'GPU-hour')} done again, {spent['starting']:,.0f} for new starts." if evicted else "Nobody is preempted."
    says = (f"{policy.capitalize()}: B's first job waits {first / 60:.1f} hours. The mean waits are A {mean['A']:.1f}, B {mean['B']:.1f}, C {mean['C']:.1f} hours. "
            f"{preempted} Saving takes {spent['saving']:,.0f} of {sum(done['gpu_minutes'].values()) / 60:,.0f} GPU-hours.")
    table = [["", "A", "B", "C"], ["mean wait, hours", *(round(mean[team], 1) for team in COLORS)], ["longest wait, hours", *(round(max(waits[team]) / 60, 1) for team in COLORS)],
             ["preempted, times", *(sum(jobs[place][0] == team for _, place, *_ in done["evictions"]) for team in COLORS)],
             ["done again, GPU-hours", *(round(done["again"][team] / 60, 1) for team in COLORS)]]
    return {"svg": picture(jobs, done, mean), "table": table, "result": round(first / 60, 1), "says": says}


def many(count, word):
    return f"{count:,} {word}{'' if count == 1 else 's'}"


def trace(hours):
    """(team, minute of submission, (GPUs, cores), minutes of work): A trains, B tunes, C prepares data and wants cores."""
    return sorted([("A", 0, (8, 64), hours * 60)] * 8
                  + [("B", 60 * (3 + 2 * n), (4, 32), 240) for n in range(10)]
                  + [("C", 60 * (5 + 2 * n), (1, 32), 180) for n in range(10)], key=lambda job: job[1])


def run(jobs, policy, weights, save, capacity=CAPACITY):
    """Plays the jobs to the end. Spans are (job, from, to); evictions (minute, job, share of its team without it, share of the other team with its job)."""
    left, began, waited = [job[3] for job in jobs], {}, [0] * len(jobs)
    queue, spans, evictions, started, now = [], [], [], set(), 0
    spent, again = {"useful": 0, "done again": 0, "saving": 0, "starting": 0}, dict.fromkeys(weights, 0)
    coming = list(range(len(jobs)))

    def used(places):
        return tuple(sum(jobs[place][2][kind] for place in places) for kind in range(len(capacity)))

    def share(team, places):
        """Dominant share over weight: of the resource of which the team has the largest part."""
        own = used([place for place in places if jobs[place][0] == team])
        return max(Fraction(have, whole) for have, whole in zip(own, capacity)) / weights[team]

    def fits(place, places, room=capacity):
        return all(have + need <= whole for have, need, whole in zip(used(places), jobs[place][2], room))

    def start(place):
        queue.remove(place)
        began[place] = now, STARTING if place in started else 0
        started.add(place)

    def stop(place):
        """Ends a span, finished or not: what was saved counts, the rest is done again."""
        team, _, need, _ = jobs[place]
        since, opening = began.pop(place)
        spans.append((place, since, now))
        opening = min(opening, now - since)
        work, safe = progress(now - since - opening, save)
        if work >= left[place]:
            work = safe = left[place]
        spent["useful"] += safe * need[0]
        spent["done again"] += (work - safe) * need[0]
        spent["starting"] += opening * need[0]
        spent["saving"] += (now - since - opening - work) * need[0]
        again[team] += (work - safe) * need[0]
        left[place] -= safe

    def victims(place):
        """The jobs to stop so that this one fits: of teams that keep no less than its team then has, the largest share and the latest start first."""
        team, staying, chosen = jobs[place][0], list(began), []
        while not fits(place, staying):
            after = share(team, [*staying, place])
            order = sorted(staying, key=lambda job: (share(jobs[job][0], staying), began[job][0], job), reverse=True)
            found = next((job for job in order if jobs[job][0] != team and share(jobs[job][0], [other for other in staying if other != job]) >= after), None)
            if found is None:
                return []
            staying.remove(found)
            chosen.append(found)
        for job in reversed(chosen):  # not needed after all
            if fits(place, [*staying, job]):
                staying.append(job)
        return [job for job in chosen if job not in staying]

    def admit():
        if policy == "quota":
            for place in list(queue):
                team = jobs[place][0]
                quota = [whole * Fraction(weights[team], sum(weights.values())) for whole in capacity]
                ahead = any(jobs[other][0] == team for other in queue[: queue.index(place)])
                if not ahead and fits(place, [other for other in began if jobs[other][0] == team], quota):
                    start(place)
            return
        while queue:
            # First come: the oldest job. Fair share: the oldest one of the team with the smallest share (Ghodsi et al., algorithm 1).
            place = queue[0] if policy == "first come" else min(queue, key=lambda job: (share(jobs[job][0], began), queue.index(job)))
            if not fits(place, began):
                chosen = victims(place) if "preempting" in policy else []
                if not chosen:
                    return
                for job in chosen:
                    team = jobs[job][0]
                    evictions.append((now, job, share(team, [other for other in began if other not in chosen]), share(jobs[place][0], [*began, place])))
                for job in chosen:
                    stop(job)
                    queue.append(job)
                queue.sort()
            start(place)

    while coming or began:
        ends = {place: since + opening + stretched(left[place], save) for place, (since, opening) in began.items()}
        then = min([*ends.values(), *(jobs[place][1] for place in coming[:1])])
        for place in queue:
            waited[place] += then - now
        now = then
        for place in [place for place, end in ends.items() if end == now]:
            stop(place)
        while coming and jobs[coming[0]][1] == now:
            queue.append(coming.pop(0))
        queue.sort()
        admit()
    return {"spans": sorted(spans, key=lambda span: span[1]), "evictions": evictions, "gpu_minutes": spent, "again": again, "waits": waited, "unfinished": sum(left), "end": now}


def stretched(work, save):
    """Minutes that so many minutes of work take with saves between them."""
    return work + SAVING * ((work - 1) // save)


def progress(minutes, save):
    """Minutes of work done after a time, and how many of them are saved."""
    rounds, rest = divmod(minutes, save + SAVING)
    return rounds * save + min(rest, save), rounds * save


def picture(jobs, done, mean):
    """GPUs in use over the hours, stacked by team, and the CPU cores below; a triangle for each preemption."""
    end = done["end"]
    times = sorted({at for _, *span in done["spans"] for at in span})
    shapes = []
    def across(at):
        return f"{48 + 340 * at / end:.0f}"

    for kind, floor, tall in ((0, 152, 128 / CAPACITY[0]), (1, 214, 44 / CAPACITY[1])):
        below = [0] * len(times)
        shapes.append(f'<rect class="wash" x="48" y="{floor - tall * CAPACITY[kind]:.0f}" width="340" height="{tall * CAPACITY[kind]:.0f}"/>')
        for team, color in COLORS.items():
            above = [low + sum(jobs[place][2][kind] for place, since, to in done["spans"] if jobs[place][0] == team and since <= at < to) for low, at in zip(below, times)]
            there = "".join(f"H{across(at)}V{floor - tall * height:.0f}" for at, height, before in zip(times, above, [0, *above]) if height != before)
            back = "".join(f"V{floor - tall * low:.0f}H{across(at)}" for at, low, before in reversed(list(zip(times, below, [0, *below]))) if low != before)
            shapes.append(f'<path class="{color}" d="M48 {floor}{there}{back}z"/>')
            below = above
    marks = "".join(f'<path class="bad" d="M{across(at)} 22l-4 -8h8z"/>' for at in sorted({at for at, *_ in done["evictions"]}))
    step = 720 if end <= 60 * 60 else 1440
    ticks = "".join(f'<text class="mid" x="{across(at)}" y="230">{at // 60}</text>' for at in range(0, end, step) if at < 0.86 * end)
    waits = "".join(f'<rect class="{color}" x="{12 + 126 * place}" y="246" width="12" height="10"/><text x="{29 + 126 * place}" y="256">{team} waits {mean[team]:.1f} h</text>'
                    for place, (team, color) in enumerate(COLORS.items()))
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 264">{"".join(shapes)}{marks}<g class="small muted">'
            f'<text class="end" x="42" y="34">32</text><text class="end" x="42" y="92">GPUs</text><text class="end" x="42" y="196">cores</text>{ticks}<text class="end" x="388" y="230">hours</text></g><g class="small">{waits}</g></svg>')
