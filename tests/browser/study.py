"""What a reader does on the study pages, for the tests: answers a question, right or wrong, and reads what is stored."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Locator, Page, expect

from gpubites.render.veil import unveiled
from witness import wait_until

STORED = """() => new Promise((resolve, reject) => {
    const opening = indexedDB.open("gpubites");
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
        if (!opening.result.objectStoreNames.contains("events")) { opening.result.close(); return resolve([]); }
        const reading = opening.result.transaction("events").objectStore("events").getAll();
        reading.onsuccess = () => { opening.result.close(); resolve(reading.result); };
    };
})"""


def events(page: Page, kind: str = "answer", least: int = 0) -> list[dict[str, Any]]:
    """The stored events of a kind, read past our own code; waits until there are so many."""

    def found() -> list[dict[str, Any]]:
        stored: list[dict[str, Any]] = page.evaluate(STORED)
        return [event for event in stored if event["kind"] == kind]

    wait_until(page, lambda: len(found()) >= least)
    return sorted(found(), key=lambda event: event.get("seq", 0))


def card(page: Page) -> Locator:
    """The question in sight, ready to be answered."""
    found = page.locator(".study-stage quiz-card")
    expect(found.get_by_role("button", name="Check")).to_be_visible()
    return found


def right_of(question: Locator) -> Any:
    """What is right: of each choice, of each step as it is shown, or `[value, tolerance]` of each variant."""
    return unveiled(question.get_attribute("data-veil") or "", question.get_attribute("id") or "")


def typed_answer(question: Locator) -> str:
    """What the field wants to be told, of the variant that is shown."""
    right, shown = right_of(question), question.locator(".quiz-asked").inner_text()
    variants = question.locator(".quiz-variant > p:first-child").evaluate_all("asked => asked.map((text) => text.textContent)")
    place = [" ".join(text.split()) for text in variants].index(" ".join(shown.split())) if variants else 0
    return str(right[place][0])


def put_in_order(question: Locator) -> None:
    """By its buttons, from the top."""
    places = right_of(question)
    steps = question.locator(".quiz-steps li")
    for place in range(len(places)):
        shown = str(places.index(place))
        step = question.locator(f'.quiz-steps li[data-shown="{shown}"]')
        while steps.nth(place).get_attribute("data-shown") != shown:
            step.get_by_role("button", name="Up").click()


def choose(question: Locator, right: bool = True) -> None:
    """Gives an answer, not checked yet."""
    if question.locator("input[type=text]").count():
        value = typed_answer(question)
        question.locator("input").fill(value if right else f"1{value}")
        return
    if question.get_attribute("data-kind") == "order":
        put_in_order(question)
        if not right:
            question.locator(".quiz-steps li").first.get_by_role("button", name="Down").click()
        return
    for index, mark in enumerate(right_of(question)):
        if mark == right:
            question.locator("input").nth(index).check()


def answer(page: Page, right: bool = True) -> str:
    """Answers the question in sight and says which one it was."""
    question = card(page)
    choose(question, right)
    question.get_by_role("button", name="Check").click()
    expect(question).to_have_attribute("data-checked", "right" if right else "wrong")
    return question.get_attribute("id") or ""


def go_on(page: Page) -> None:
    page.locator(".study-next .primary").click()


def do_five(page: Page, wrong: int = -1) -> list[str]:
    """Today's five, all right but the one at `wrong`; the questions that were asked."""
    asked = []
    for index in range(5):
        asked.append(answer(page, right=index != wrong))
        expect(page.locator(".study-count strong")).to_have_text(f"{index + 1} of 5")
        go_on(page)
    expect(page.get_by_role("heading", name="That is today's five")).to_be_visible()
    return asked
