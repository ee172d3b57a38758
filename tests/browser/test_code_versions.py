"""A program in the page has versions: the page's own, the reader's draft, a link's. None runs by itself, none is lost unseen."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import BrowserContext, Locator, Page, expect

from snippets import BOOT, open_python_page
from witness import PHONE, Witness, wait_until

STORED = """() => new Promise((resolve, reject) => {
    const opening = indexedDB.open("gpubites");
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
        if (!opening.result.objectStoreNames.contains("drafts")) { opening.result.close(); return resolve([]); }
        const reading = opening.result.transaction("drafts").objectStore("drafts").getAll();
        reading.onsuccess = () => { opening.result.close(); resolve(reading.result); };
    };
})"""
OLDER = """() => new Promise((resolve, reject) => {
    const opening = indexedDB.open("gpubites");
    opening.onsuccess = () => {
        const transaction = opening.result.transaction("drafts", "readwrite");
        const drafts = transaction.objectStore("drafts");
        drafts.getAll().onsuccess = ({target}) => target.result.forEach((draft) => {
            drafts.put({...draft, over: {...draft.over, before: "print('as it was')\\n", firstLine: 2}});
        });
        transaction.oncomplete = () => { opening.result.close(); resolve(); };
        transaction.onerror = () => reject(transaction.error);
    };
})"""


def drafts(page: Page) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = page.evaluate(STORED)
    return [draft for draft in found if draft["text"] is not None]


class First:
    """The page's first Python program, alive."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.figure = page.locator("figure:has(> py-snippet)").first
        self.says = self.figure.locator(".runner-version-words")
        self.plain = self.figure.locator(".runner-plain")
        self.editor = self.figure.locator(".cm-content")
        self.output = self.figure.locator(".frame-output")
        self.figure.scroll_into_view_if_needed()
        expect(self.button("Run")).to_be_visible()

    def button(self, word: str) -> Locator:
        return self.figure.get_by_role("button", name=word, exact=True)

    def write(self, text: str) -> None:
        if not self.editor.is_visible():
            self.button("Edit").click()
        expect(self.editor).to_be_visible()
        self.editor.fill(text)

    def link(self) -> str:
        self.button("Copy link to this code").click()
        expect(self.figure.locator(".frame-status")).to_contain_text("Copied")
        copied: str = self.page.evaluate("navigator.clipboard.readText()")
        return copied


def test_a_draft_survives_a_reload_until_reset_and_one_of_another_edition_is_offered(page: Page, site_url: str, witness: Witness) -> None:
    open_python_page(page, site_url)
    first = First(page)
    first.write("print('mine')")
    expect(first.says).to_contain_text("Your draft, kept in this browser.")
    wait_until(page, lambda: len(drafts(page)) == 1)
    first.editor.press("End")
    first.editor.press_sequentially(" # at once")
    page.reload()  # before it had time to be kept

    first = First(page)
    expect(first.plain).to_have_text("print('mine') # at once")
    expect(first.figure.locator(".frame-source")).to_be_hidden()
    wait_until(page, lambda: [draft["text"] for draft in drafts(page)] == ["print('mine') # at once"])

    page.evaluate(OLDER)
    page.reload()
    first = First(page)
    expect(first.says).to_contain_text("You have a draft of an earlier edition of this code.")
    expect(first.plain).to_be_hidden()
    first.write("print('new')")
    first.button("Show my draft").click()
    expect(first.plain).to_have_text("print('mine') # at once")
    expect(first.says).to_contain_text("It runs with the lines that stood around it then")
    first.button("Run").click()
    expect(first.output).to_have_text(re.compile(r"^as it was\nmine\n"), timeout=BOOT)

    first.button("Reset").click()
    expect(first.plain).to_be_hidden()
    expect(first.figure.locator(".frame-source")).to_be_visible()
    wait_until(page, lambda: drafts(page) == [])
    page.reload()
    first = First(page)
    expect(first.figure.locator(".frame-source")).to_be_visible()
    expect(first.says).to_have_text("")


def test_code_from_a_link_is_shown_and_never_runs_by_itself_nor_over_a_draft(
    context: BrowserContext, site_url: str, witness: Witness
) -> None:
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    asked: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    page = context.new_page()
    open_python_page(page, site_url)
    first = First(page)
    recorded = first.output.inner_text()
    first.write("print('from afar')\n" * 3)
    url = first.link()
    assert re.search(r"#snippet-[\w-]+~py1\.", url)
    first.write("print('my own')")
    wait_until(page, lambda: [draft["text"] for draft in drafts(page)] == ["print('my own')"])

    # In a page of its own: nobody touches anything but the link.
    page.close()
    page = context.new_page()
    page.set_viewport_size(PHONE)
    asked.clear()
    page.goto(url)
    first = First(page)
    expect(first.editor).to_have_text("print('from afar')" * 3)
    expect(first.editor).to_be_in_viewport()
    expect(first.says).to_contain_text("Code from a link, which somebody else may have written. It has not been run")
    expect(first.says).to_contain_text("You have a draft of your own.")
    for gesture in ("Tab", "Escape"):
        page.keyboard.press(gesture)
    page.evaluate("window.dispatchEvent(new HashChangeEvent('hashchange'))")
    page.wait_for_load_state("networkidle")
    expect(first.editor).to_have_count(1)
    assert first.output.inner_text() == recorded
    assert page.locator("iframe").count() == 0
    assert not [address for address in asked if "assets/python/" in address]

    first.write("print('changed')")
    first.button("Run").click()
    expect(first.output).to_have_text(re.compile(r"^changed\n"), timeout=BOOT)
    expect(first.says).not_to_contain_text("not been run")
    assert [draft["text"] for draft in drafts(page)] == ["print('my own')"]
    first.button("Show my draft").click()
    expect(first.plain).to_have_text("print('my own')")

    # Damaged, for another page, and the page's own anchors.
    page.goto(url[:-9])
    page.reload()
    first = First(page)
    expect(first.says).to_contain_text("The code in the link is damaged")
    expect(first.plain).to_have_text("print('my own')")
    page.goto(re.sub(r"#.*?~", "#snippet-of-another-page~", url))
    expect(page.get_by_text("code for a program that is not on this page")).to_be_visible()
    page.get_by_role("button", name="Close").click()
    page.goto(re.sub(r"#.*", "#red-flags", url))
    expect(page.locator("#red-flags")).to_be_in_viewport()
    assert page.evaluate("getComputedStyle(document.querySelector(':target')).display") != "none"
