"""The Content-Security-Policy in the built pages."""

import pytest

from gpubites.export.policy import inline_scripts, policy_problems, script_hash, with_policy


def page(head: str = "", body: str = "") -> str:
    return f'<!doctype html>\n<html>\n<head><meta charset="utf-8">\n{head}</head>\n<body>\n{body}</body>\n</html>\n'


def test_every_page_gets_the_hashes_of_all_pages() -> None:
    done = with_policy({"index.html": page("<script>a()</script>"), "b/x/index.html": page("<script>b()</script>")})
    for html in done.values():
        assert script_hash("a()") in html
        assert script_hash("b()") in html
    [policy] = {html.split("<meta ")[2].split(">")[0] for html in done.values()}
    assert policy.startswith('http-equiv="Content-Security-Policy"')


def test_the_policy_stands_right_after_the_charset() -> None:
    [html] = with_policy({"index.html": page("<script>a()</script>")}).values()
    assert '<head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src' in html


def test_a_hash_is_what_a_browser_computes() -> None:
    # The example of the specification: https://www.w3.org/TR/CSP3/#external-hash
    assert script_hash("alert('Hello, world.');") == "sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng="


def test_scripts_of_frames_are_allowed_too() -> None:
    [html] = with_policy({"index.html": page()}, frame_hashes=["sha256-abc="]).values()
    assert "'sha256-abc='" in html


def test_nothing_else_is_allowed() -> None:
    [html] = with_policy({"index.html": page()}).values()
    assert "default-src 'none'" in html
    assert "script-src 'self' 'wasm-unsafe-eval';" in html
    assert "unsafe-eval'" not in html.replace("wasm-unsafe-eval'", "")


@pytest.mark.parametrize(
    "block",
    [
        '<script src="app.js"></script>',
        '<script type="application/json">{"a": 1}</script>',
        '<script type="application/ld+json">{}</script>',
        "<!-- <script>old()</script> -->",
    ],
)
def test_what_does_not_run_inline_needs_no_hash(block: str) -> None:
    assert inline_scripts(page(block)) == []


@pytest.mark.parametrize("attributes", ["", ' type="module"', " type=text/javascript", ' type="importmap"', ' data-of=">"'])
def test_what_runs_inline_is_found(attributes: str) -> None:
    assert inline_scripts(page(f"<script{attributes}>\nrun('</a>');\n</script>")) == ["\nrun('</a>');\n"]


@pytest.mark.parametrize(
    ("tag", "code"),
    [
        ('<button onclick="go()">', "P001"),
        ("<img\n  src=x onerror = 'go()'>", "P001"),
        ('<body class="a"onload=go()>', "P001"),
        ('<a class="b" href="javascript:go()">', "P002"),
    ],
)
def test_an_inline_handler_is_a_problem_at_its_line(tag: str, code: str) -> None:
    [problem] = policy_problems({"b/x/index.html": page(body=f"<p>text</p>\n{tag}\n")})
    assert (problem.path, problem.line, problem.code) == ("b/x/index.html", 7, code)


@pytest.mark.parametrize(
    "harmless",
    [
        "<code>&lt;button onclick=&quot;go()&quot;&gt;</code>",
        '<p title="set onclick=go()">',
        '<p data-onclick="x">',
        '<script type="application/json">"<a onclick=go()>"</script>',
        "<!-- <button onclick=go()> -->",
        '<a href="https://example.org/?next=javascript:x">',
    ],
)
def test_what_only_looks_like_a_handler_is_none(harmless: str) -> None:
    assert policy_problems({"index.html": page(body=harmless)}) == []


def test_a_page_without_a_place_for_the_policy_is_a_problem() -> None:
    [problem] = policy_problems({"index.html": "<html><head><title>x</title></head></html>"})
    assert problem.code == "P003"


def test_a_script_before_the_policy_is_a_problem() -> None:
    [problem] = policy_problems({"index.html": '<html><head>\n<script>a()</script><meta charset="utf-8"></head></html>'})
    assert (problem.code, problem.line) == ("P004", 2)
