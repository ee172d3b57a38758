"""What a reader does on the study pages, for the tests: answers a question, right or wrong, and reads what is stored."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Locator, Page, expect

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


def put_in_order(question: Locator) -> None:
    """By its buttons, from the top."""
    steps = question.locator(".quiz-steps li")
    for place in range(steps.count()):
        step = question.locator(f'.quiz-steps li[data-step="{place}"]')
        while steps.nth(place).get_attribute("data-step") != str(place):
            step.get_by_role("button", name="Up").click()


def choose(question: Locator, right: bool = True) -> None:
    """Gives an answer, not checked yet."""
    if question.get_attribute("data-kind") == "numeric":
        value = question.locator(".quiz-answers data").get_attribute("value") or ""
        question.locator("input").fill(value if right else f"{float(value) + 1000:g}")
        return
    if question.get_attribute("data-kind") == "order":
        put_in_order(question)
        if not right:
            question.locator(".quiz-steps li").first.get_by_role("button", name="Down").click()
        return
    marks = question.locator(".quiz-answers li").evaluate_all("items => items.map((item) => item.dataset.right === 'true')")
    for index, mark in enumerate(marks):
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
