"""The rewriter leaves alone what it need not touch, keeps every line in its place, and takes launches as people format them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpubites.cudahost.rewrite import NotCovered, rewrite
from gpubites.cudahost.tokens import tokenize

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted([*(ROOT / "snippets").glob("*/*.cu"), *(ROOT / "tests" / "cudahost").glob("*/*.cu")])


def squeezed(text: str) -> str:
    return re.sub(r"\s+", "", text)


@pytest.mark.parametrize(
    ("launch", "name", "configuration", "arguments"),
    [
        ("k<<<1, 32>>>();", "k", "1,32", ""),
        ("k <<< grid, block >>> (a, b);", "k", "grid,block", "a,b"),
        ("k<<<dim3(2, 3), dim3(4, 5), 16, stream>>>(f(a, b), c);", "k", "dim3(2,3),dim3(4,5),16,stream", "f(a,b),c"),
        ("k<<<\n    (n + 255) / 256,\n    256\n>>>(\n    n, x);", "k", "(n+255)/256,256", "n,x"),
        ("k<float><<<1, 1>>>(x);", "k<float>", "1,1", "x"),
        ("k<float, 4><<<1, 1>>>(x);", "k<float,4>", "1,1", "x"),
        ("k<(a > b), 4><<<1, 1>>>(x);", "k<(a>b),4>", "1,1", "x"),
        ("k<Pair<int, Pair<int, int>>><<<1, 1>>>(x);", "k<Pair<int,Pair<int,int>>>", "1,1", "x"),
        ("space::inner::k<<<1, 1>>>(x);", "space::inner::k", "1,1", "x"),
        ("::k<<<1, 1>>>(x);", "::k", "1,1", "x"),
        ("kernels[i]<<<1, 1>>>(x);", "kernels[i]", "1,1", "x"),
        ("table.entry->kernel<<<1, 1>>>(x);", "table.entry->kernel", "1,1", "x"),
        ("(fast ? a : b)<<<1, 1>>>(x);", "(fast?a:b)", "1,1", "x"),
        ("k<<<count<4>(n), size_t(n) >> 3>>>(x);", "k", "count<4>(n),size_t(n)>>3", "x"),
        ("k<<<1, /* threads >>> */ 32>>>(x);", "k", "1,/*threads>>>*/32", "x"),
        ("k<<<1, 32>>>(\"<<<1, 2>>>\", '<');", "k", "1,32", "\"<<<1,2>>>\",'<'"),
    ],
)
def test_a_launch_becomes_a_call(launch: str, name: str, configuration: str, arguments: str) -> None:
    text = f"int main() {{ {launch} }}"
    made = rewrite(text)
    assert made.count("\n") == text.count("\n")
    assert squeezed(f"{name}(cudahost_arguments...); }})") in squeezed(made)
    assert squeezed(f").on({configuration})({arguments});") in squeezed(made)
    assert "<<<" not in re.sub(r'"[^"]*"', "", made)


@pytest.mark.parametrize(
    "text",
    [
        "// k<<<1, 2>>>(x);\nint a = 1;",
        "/* k<<<1, 2>>>(x);\n */ int a;",
        'const char* s = "k<<<1, 2>>>(x)";',
        'const char* s = "quote \\" k<<<1, 2>>>(x)";',
        'const char* s = R"(k<<<1, 2>>>(x))";',
        'const char* s = R"cuda(k<<<1, ")" 2>>>(x))cuda";',
        "int million = 1'000'000, shift = 1 << 3 >> 2; char c = '\\'';",
        "template <class A> struct S { A a; }; S<S<S<int>>> nested;",
        "__device__ float f(float x) { return x; }",
        "__host__ __device__ constexpr int g() { return 1; }",
        "struct P { int x; __device__ P() : x(0) {} __device__ int get() const; };",
        "#include <vector>  // <<<\n#error k<<<1\nint x;",
        "void host() { static int calls = 0; return; }",
        "__global__ void k() { static constexpr int N = 3; }",
        "__global__ void k(int* x) { if (x) { x[0] = __ldg(x); } }",
        "__device__ float f(int i) { static const float t[2] = {1, 2}; return t[i]; }",
        "__global__ void k(int* x) { auto f = [&](int i) { if (i) return; x[i] = 1; }; f(1); }",
        "__global__ void k() { each(3, [=] __device__ (int i) mutable -> void { if (i) { return; } }); }",
        "__global__ void k() { struct Part { __device__ void f() { return; } } part; part.f(); }",
    ],
)
def test_what_needs_no_change_gets_none(text: str) -> None:
    assert rewrite(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "#define KERNEL __global__ void\nKERNEL k(int n) { if (n) { return; } }",
        '#define KERNEL(name) extern "C" __global__ void name\nKERNEL(k)(int n) { for (;;) { return; } }',
    ],
)
def test_a_kernel_whose_qualifier_is_a_macro_is_one(text: str) -> None:
    assert "return cudahost::early_return();" in rewrite(text)


def test_kernels_of_other_files_of_the_program_are_known() -> None:
    header = "template <class T> __global__ void k(T* x) {}\ntemplate <> __global__ void k<int>(int* x) {}"
    assert 'Kernel("k", nullptr, ' in rewrite("int main() { k<<<1, 1>>>(x); }", [header])
    assert 'Kernel("k", k, ' in rewrite("int main() { k<<<1, 1>>>(x); }", ["__global__ void k(float* x) {}"])


def test_a_launch_in_a_macro_is_rewritten_where_it_stands() -> None:
    made = rewrite("#define LAUNCH(kernel, n) \\\n  kernel<<<(n), 32>>>(n)\nint main() { LAUNCH(k, 3); }")
    assert ".on((n), 32)(n)\nint main() { LAUNCH(k, 3); }" in made


def test_only_a_kernels_return_is_an_early_return() -> None:
    made = rewrite("__global__ void k() { if (1) return; }\nvoid host() { return; }\n__device__ void d() { return; }")
    assert made.splitlines()[0].count("early_return") == 1
    assert "early_return" not in "".join(made.splitlines()[1:])


@pytest.mark.parametrize(
    ("declaration", "types"),
    [
        ("__shared__ float s[32];", ["float[32]"]),
        ("__shared__ float s[N][N + 1], t;", ["float[N][N+1]", "float"]),
        ("__shared__ __align__(16) volatile int s[4];", ["volatileint[4]"]),
        ("volatile __shared__ int s;", ["volatileint"]),
        ("__shared__ const float *p, q[2];", ["constfloat*", "constfloat[2]"]),
        ("__shared__ std::pair<int, float> s[4];", ["std::pair<int,float>[4]"]),
        ("static __shared__ unsigned long long s;", ["unsignedlonglong"]),
    ],
)
def test_shared_variables_keep_their_types(declaration: str, types: list[str]) -> None:
    made = squeezed(rewrite(f"__global__ void k() {{ {declaration} }}"))
    assert re.findall(r"cudahost::shared<(.*?),cudahost_tag_\d+>", made) == types


@pytest.mark.parametrize(
    ("text", "line", "word"),
    [
        ("__global__ void k() {\n  k<<<1, 1>>>();\n}", 2, "dynamic parallelism"),
        ("\n__shared__ int s;", 2, "outside a function"),
        ("__global__ void k() { __shared__ int s = 3; }", 1, "initializer"),
        ("extern __device__ int x;", 1, "extern"),
        ("__global__ void k() {\n  static int calls;\n}", 2, "one variable in device memory"),
        ("__device__ float f(int i) { static float t[2] = {1, 2}; return t[i]; }", 1, "`static` on `t`"),
        ("__device__ const char* f() {\n  static const char* t = 0;\n  return t;\n}", 2, "`static` on `t`"),
        ("__host__ __device__ int f() {\n  static int calls = 0;\n  return ++calls;\n}", 2, "in a `__host__ __device__` function"),
        ("__global__ void k() { static __device__ int x; }", 1, "declare it outside"),
    ],
)
def test_what_cannot_be_rewritten_is_refused_with_its_line(text: str, line: int, word: str) -> None:
    with pytest.raises(NotCovered, match=word) as refused:
        rewrite(text)
    assert refused.value.line == line


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_real_programs_keep_their_lines(source: Path) -> None:
    text = source.read_text()
    assert "".join(token.text for token in tokenize(text)) == text
    before, after = text.splitlines(), rewrite(text).splitlines()
    assert len(after) == len(before)
    for old, new in zip(before, after, strict=True):
        if not re.search(r"<<<|>>>|__shared__|__device__|__constant__|__managed__|return;", old):
            assert new == old


# --- fuzzing: a launch between all kinds of text, in all kinds of spacing ---

_gap = st.sampled_from(["", " ", "\n", "\t", " /* , >>> */ ", " // <<<\n", "\\\n"])
_word = st.sampled_from(["x", "n + 1", "f(a, b)", "(a, b)", "{1, 2}", "a[b[1]]", "s<int>()", '"<<<"', "')'", 'R"(>>>)"', "a >> 2", "1'000"])
_callee = st.sampled_from(["k", "a::k", "k<1>", "k<S<int>, 2>", "k<(a > b)>", "ks[2]", "p->k"])
_around = st.sampled_from(
    ['const char* s = "k<<<1>>>";', "/* k<<< */", "// >>>\n", "int y = a < b;", 'auto z = R"x(k<<<1,1>>>())x";', "{ }"]
)


@settings(max_examples=300, deadline=None)
@given(
    st.lists(_around, max_size=3),
    _callee,
    st.lists(_word, min_size=1, max_size=4),
    st.lists(_word, max_size=3),
    st.lists(_gap, min_size=6, max_size=6),
)
def test_any_formatting_of_a_launch_is_one_call(
    around: list[str], callee: str, configuration: list[str], arguments: list[str], gaps: list[str]
) -> None:
    g = gaps
    launch = f"{callee}{g[0]}<<<{g[1]}{', '.join(configuration)}{g[2]}>>>{g[3]}({g[4]}{', '.join(arguments)}{g[5]});"
    text = "int main() {\n" + "\n".join([*around, launch, *around]) + "\n}\n"
    made = rewrite(text)
    assert made.count("\n") == text.count("\n")
    assert made.count("cudahost::Kernel(") == 1
    assert f"{callee}(cudahost_arguments...)" in made
    for piece in around:
        assert made.count(piece) >= 2
    assert "".join(t.text for t in tokenize(made) if t.is_code and t.text in ("<<<", ">>>")) == ""


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="ab<>(){}[];,\"'/*\\\n #R_=-1", max_size=60))
def test_any_text_is_rewritten_or_refused(text: str) -> None:
    assert "".join(token.text for token in tokenize(text)) == text
    try:
        made = rewrite(text)
    except NotCovered:
        return
    assert made.count("\n") == text.count("\n")
