"""CUDA C++ to C++: launches, shared memory and device variables become calls of the host. All else stays, line by line.

k<<<grid, block>>>(x);             →  cudahost::Kernel("k", k, …).on(grid, block)(x);
__shared__ float tile[32][33];     →  auto& tile = cudahost::shared<float[32][33], …>("tile");
extern __shared__ float s[];       →  auto& s = *(float(*)[])cudahost::dynamic_shared();
__device__ int counter = 3;        →  static auto& counter = cudahost::variable<int>("counter", …, 3);
return;   (of a kernel)            →  return cudahost::early_return();
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from gpubites.cudahost.tokens import Token, tokenize

QUALIFIERS = frozenset({"__global__", "__device__", "__host__", "__constant__", "__managed__", "__shared__"})
_ANGLES = {"<": 1, ">": -1, ">>": -2, ">>>": -3}
OPEN, CLOSE = frozenset("([{"), frozenset(")]}")


class NotCovered(Exception):
    """Something that the host does not run: its line, what it is, and what to do instead."""

    def __init__(self, line: int, what: str) -> None:
        super().__init__(f"line {line}: {what}")
        self.line = line
        self.what = what


@dataclass
class _Scope:
    """What a `{` opened."""

    function: bool = False  # it, or something around it, is the body of a function
    device: bool = False  # of a __global__ or __device__ function that is not __host__ too
    kernel: bool = False  # `return` there ends a CUDA thread: not in a lambda, nor in a member of a class in it
    shared_code: bool = False  # of a __host__ __device__ function
    members: bool = False  # of a class


def rewrite(source: str, others: Iterable[str] = ()) -> str:
    """The C++ of a CUDA source, with as many lines; the texts of `others` declare kernels too. Raises `NotCovered`."""
    rewriter = _Rewriter(tokenize(source))
    for other in others:
        rewriter.know(_Rewriter(tokenize(other)))
    return rewriter.run()


class _Rewriter:
    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = tokens
        self.out: list[str] = [token.text for token in tokens]
        self.code = [i for i, token in enumerate(tokens) if token.is_code]  # indices of tokens that are code
        self.scopes: list[_Scope] = [_Scope()]
        self.statement = 0  # place in `code` where the present statement began
        self.tags = 0
        self.macros = self._macros()
        self.templates, self.heads = self._kernels()

    def know(self, other: _Rewriter) -> None:
        """The kernels and macros of another file of the program."""
        self.macros = {**other.macros, **self.macros}
        self.templates = {**other.templates, **self.templates}
        for name, types in other.heads.items():
            self.heads.setdefault(name, set()).update(types)

    # --- reading ------------------------------------------------------------------------------------------------------

    def text(self, place: int) -> str:
        return self.tokens[self.code[place]].text if 0 <= place < len(self.code) else ""

    def kind(self, place: int) -> str:
        return self.tokens[self.code[place]].kind if 0 <= place < len(self.code) else ""

    def line(self, place: int) -> int:
        return self.tokens[self.code[place]].line

    def source(self, first: int, last: int) -> str:
        """What stands between two places of `code`, both included, as it will be compiled."""
        return "".join(self.out[self.code[first] : self.code[last] + 1])

    def matching(self, place: int) -> int:
        """The place of the bracket that closes the one at `place`."""
        depth = 0
        for there in range(place, len(self.code)):
            if self.text(there) in OPEN:
                depth += 1
            elif self.text(there) in CLOSE:
                depth -= 1
                if depth == 0:
                    return there
        raise NotCovered(self.line(place), f"the `{self.text(place)}` is never closed")

    def opening(self, place: int) -> int:
        """The place of the bracket that the one at `place` closes."""
        depth = 0
        for there in range(place, -1, -1):
            if self.text(there) in CLOSE:
                depth += 1
            elif self.text(there) in OPEN:
                depth -= 1
                if depth == 0:
                    return there
        raise NotCovered(self.line(place), f"the `{self.text(place)}` was never opened")

    # --- writing ------------------------------------------------------------------------------------------------------

    def replace(self, first: int, last: int, text: str) -> None:
        """Puts `text` where places `first` to `last` stand, and keeps the number of lines."""
        begin, end = self.code[first], self.code[last]
        lines = "".join(self.out[begin : end + 1]).count("\n")
        self.out[begin] = text + "\n" * max(0, lines - text.count("\n"))
        for i in range(begin + 1, end + 1):
            self.out[i] = ""

    # --- the walk -----------------------------------------------------------------------------------------------------

    def run(self) -> str:
        place = 0
        while place < len(self.code):
            place = self.step(place)
        return "".join(self.out)

    def step(self, place: int) -> int:
        token, scope = self.text(place), self.scopes[-1]
        if self.kind(place) == "directive":
            self.statement = place + 1
        elif token == "{":
            self.scopes.append(self.scope_opened_at(place))
            self.statement = place + 1
        elif token == "}":
            if len(self.scopes) > 1:
                self.scopes.pop()
            self.statement = place + 1
        elif token == ";":
            self.statement = place + 1
        elif token == "static" and (scope.device or scope.shared_code) and place == self.statement:
            self.static_local(place)
        elif token == "__shared__":
            return self.shared(place)
        elif token in ("__device__", "__constant__", "__managed__"):
            return self.device_variable(place)
        elif token == "<<<":
            return self.launch(place)
        elif token == "__noinline__" and self.text(place - 1) != "(":
            # No macro: the C++ library writes `__attribute__((__noinline__))`.
            self.replace(place, place, "__attribute__((noinline))")
        elif token == "return" and scope.kernel and self.text(place + 1) == ";":
            self.replace(place, place, "return cudahost::early_return()")
        return place + 1

    def scope_opened_at(self, place: int) -> _Scope:
        outer = self.scopes[-1]
        head = [self.text(there) for there in range(self.statement, place)]
        if outer.function:
            members = bool(head) and head[0] in ("struct", "class", "union") and "(" not in head
            inner = outer.members or self._is_lambda(place)
            return _Scope(True, outer.device, outer.kernel and not inner and not members, outer.shared_code, members)
        types = {"namespace", "struct", "class", "union", "enum"}
        after_template = self._skip_template_head(self.statement, place)
        words = [self.text(there) for there in range(after_template, place)]
        if (words and words[0] in types) or (types & set(words) and ")" not in words) or (words[:1] == ["extern"] and "(" not in words):
            return _Scope()
        if "(" not in head:
            return _Scope()
        qualifiers = {qualifier for word in head for qualifier in self.macros.get(word, {word})}
        kernel = "__global__" in qualifiers
        device = kernel or ("__device__" in qualifiers and "__host__" not in qualifiers)
        return _Scope(True, device, kernel, "__device__" in qualifiers and not device)

    def _is_lambda(self, place: int) -> bool:
        """Whether the `{` opens the body of a lambda: `[…] {`, `[…] (…) {`, with qualifiers or the type it returns between."""
        there = place - 1
        while there > self.statement and self.text(there) not in (")", "]", "{", ";"):
            there -= 1
        if self.text(there) == ")":
            there = self.opening(there) - 1
            while self.text(there) in QUALIFIERS:
                there -= 1
        return self.text(there) == "]"

    def _macros(self) -> dict[str, frozenset[str]]:
        """Macros that stand for qualifiers: `#define KERNEL __global__ void`."""
        macros: dict[str, frozenset[str]] = {}
        for place in range(len(self.code)):
            if self.kind(place) != "directive" or self.text(place).lstrip("# \t") != "define":
                continue
            end = place + 1
            while end < len(self.code) and self.kind(end) != "directive":
                end += 1
            if found := QUALIFIERS & {self.text(there) for there in range(place + 2, end)}:
                macros[self.text(place + 1)] = frozenset(found)
        return macros

    def _skip_template_head(self, start: int, end: int) -> int:
        place = start
        while place < end and self.text(place) == "template":
            depth, place = 0, place + 1
            while place < end:
                depth += _ANGLES.get(self.text(place), 0)
                place += 1
                if depth <= 0:
                    break
        return place

    def _kernels(self) -> tuple[dict[str, int], dict[str, set[str]]]:
        """Every kernel that is a template with the number of its parameters, and each kernel's lists of parameters."""
        templates: dict[str, int] = {}
        heads: dict[str, set[str]] = {}
        for place in range(len(self.code)):
            if "__global__" not in self.macros.get(self.text(place), {self.text(place)}):
                continue
            start = place
            while start > 0 and self.text(start - 1) not in (";", "}", "{") and self.kind(start - 1) != "directive":
                start -= 1
            name = place
            while name < len(self.code) and self.text(name + 1) != "(":
                name += 1
                if self.text(name) in ("__launch_bounds__", "__maxnreg__", "__attribute__"):
                    name = self.matching(name + 1)
            if name >= len(self.code):
                continue
            heads.setdefault(self.text(name), set()).add(self._parameter_types(name + 1))
            if self.text(start) != "template":
                continue
            end = self._skip_template_head(start, place + 1)
            parameters = [self.text(there) for there in range(start + 1, end)]
            count = 1 + sum(1 for i, text in enumerate(parameters) if text == "," and _angle_depth(parameters[:i]) == 1)
            templates[self.text(name)] = -1 if "..." in "".join(parameters) else count
        return templates, heads

    def _parameter_types(self, place: int) -> str:
        """A prototype and its definition have the same, whatever they call the parameters."""
        words = [self.text(there) for there in range(place + 1, self.matching(place))]
        return " ".join(
            word for word, after in zip(words, [*words[1:], ","], strict=False) if not (after in (",", "=") and word.isidentifier())
        )

    # --- launches -----------------------------------------------------------------------------------------------------

    def launch(self, place: int) -> int:
        if self.scopes[-1].device:
            raise NotCovered(self.line(place), "a kernel launched from a kernel (dynamic parallelism) is not covered by the host run")
        first = self.callee_start(place)
        end = place + 1
        while self.text(end) != ">>>":
            if not self.text(end):
                raise NotCovered(self.line(place), "the launch has no `>>>`")
            end = self.matching(end) + 1 if self.text(end) in OPEN else end + 1
        if self.text(end + 1) != "(":
            raise NotCovered(self.line(place), "the launch has no arguments after `>>>`")
        callee = self.source(first, place - 1).strip()
        name = " ".join(callee.split())
        key = self.kernel_address(first, place - 1, callee)
        label = name.replace("\\", "\\\\").replace('"', '\\"')
        call = f"[=](auto... cudahost_arguments) {{ cudahost::entered(); {callee}(cudahost_arguments...); }}"
        self.replace(first, place - 1, f'cudahost::Kernel("{label}", {key}, {call})')
        self.replace(place, place, ".on(")
        self.replace(end, end, ")")
        return place + 1

    def callee_start(self, place: int) -> int:
        """Where the expression before `<<<` begins: a name with `::`, template arguments, members, indices, or a parenthesis."""
        there = place - 1
        while True:
            text = self.text(there)
            if text in (">", ">>", ">>>"):
                there = self._angle_opening(there) - 1
                continue
            if text in (")", "]"):
                there = self.opening(there)
                if self.kind(there - 1) != "name" and self.text(there - 1) not in (")", "]", ">"):
                    return there
                there -= 1
                continue
            if self.kind(there) != "name":
                raise NotCovered(self.line(place), "no kernel stands before `<<<`")
            if self.text(there - 1) in ("::", ".", "->"):
                there -= 1
                if self.text(there) == "::" and self.kind(there - 1) != "name" and self.text(there - 1) != ">":
                    return there
                there -= 1
                continue
            return there

    def _angle_opening(self, place: int) -> int:
        depth = 0
        while place >= 0:
            text = self.text(place)
            if text in (")", "]", "}"):
                place = self.opening(place)
            elif text in (">", ">>", ">>>"):
                depth += len(text)
            elif text == "<":
                depth -= 1
                if depth == 0:
                    return place
            elif text in (";", "{"):
                break
            place -= 1
        raise NotCovered(self.line(max(place, 0)), "the template arguments before `<<<` are not closed")

    def kernel_address(self, first: int, last: int, callee: str) -> str:
        """An expression for the kernel's address, where the callee names exactly one function."""
        explicit = self.text(last) in (">", ">>", ">>>")
        name_at = self._angle_opening(last) - 1 if explicit else last
        parameters = self.templates.get(self.text(name_at))
        if len(self.heads.get(self.text(name_at), ())) > 1:
            return "nullptr"
        if parameters is None:
            return callee
        if not explicit:
            return "nullptr"
        arguments = [self.text(there) for there in range(name_at + 1, last + 1)]
        given = 1 + sum(1 for i, text in enumerate(arguments) if text == "," and _angle_depth(arguments[:i]) == 1)
        return callee if given == parameters else "nullptr"

    # --- variables ----------------------------------------------------------------------------------------------------

    def shared(self, place: int) -> int:
        end = self.statement_end(place)
        words = {self.text(there) for there in range(self.statement, end)}
        if not self.scopes[-1].function:
            raise NotCovered(self.line(place), "__shared__ outside a function is not covered by the host run: declare it in the kernel")
        start = place
        while start > self.statement and self.kind(start - 1) == "name" and self.text(start - 1) != ")":
            start -= 1
        specifiers, declarators = self.declaration(start, end)
        if "extern" in words:
            made = [
                f"auto& {d.name} = *({specifiers}{d.pointer}(*)[]{d.extents_after_first})cudahost::dynamic_shared();" for d in declarators
            ]
        else:
            made = []
            for d in declarators:
                if d.initial:
                    raise NotCovered(self.line(place), f"`{d.name}`: CUDA allows no initializer of a __shared__ variable")
                self.tags += 1
                tag = f"cudahost_tag_{self.tags}"
                made.append(f'struct {tag} {{}}; auto& {d.name} = cudahost::shared<{specifiers}{d.pointer}{d.extents}, {tag}>("{d.name}");')
        self.replace(start, end, self.anonymous + " ".join(made))
        self.statement = end + 1
        return end + 1

    def static_local(self, place: int) -> None:
        """A static variable of a kernel lies in device memory, one for all threads. It is not run as one of the host."""
        words = {self.text(there) for there in range(place, self.statement_end(place))}
        if words & {"__shared__", "__device__", "__constant__", "__managed__", "constexpr"}:
            return
        declarators = self.declaration(place, self.statement_end(place))[1]
        name = declarators[0].name
        if all("const" in d.specifiers.split() and not d.pointer for d in declarators):
            return  # a constant of the program
        code = "device code" if self.scopes[-1].device else "a `__host__ __device__` function"
        raise NotCovered(
            self.line(place),
            f"`static` on `{name}` in {code} is not covered by the host run: it is one variable in device memory, which all threads "
            "of all launches share. Declare it outside of the function, as `__device__`, or as `__constant__` if nobody writes to it",
        )

    def device_variable(self, place: int) -> int:
        """A variable in device, constant or managed memory, or the start of a function, which stays as it is."""
        start = self.statement
        after = self._skip_template_head(start, place)
        end = self.statement_end(place, for_variable=True)
        if end < 0:  # a function
            words = {self.text(place)}
            if words & {"__constant__", "__managed__"}:
                raise NotCovered(self.line(place), f"`{self.text(place)}` before something that is no variable")
            return place + 1
        words = {self.text(there) for there in range(after, end)}
        if "constexpr" in words:
            for there in range(after, end):
                if self.text(there) in ("__device__", "__constant__", "__managed__"):
                    self.replace(there, there, "")
            return end
        if self.scopes[-1].function:
            raise NotCovered(
                self.line(place), f"`{self.text(place)}` on a variable inside a function is not covered by the host run: declare it outside"
            )
        if "extern" in words:
            raise NotCovered(self.line(place), "`extern` device variables are not covered by the host run: define it in this file")
        space = "constant" if "__constant__" in words else "managed" if "__managed__" in words else "global"
        specifiers, declarators = self.declaration(after, end)
        made = []
        for d in declarators:
            where = f'"{d.name}", cudahost::Space::{space}'
            if d.extents.replace(" ", "").startswith("[]"):
                made.append(f"auto& {d.name} = cudahost::variable_of<{specifiers}{d.pointer}>({where}, {d.initial});")
            elif d.initial:
                made.append(f"auto& {d.name} = cudahost::variable<{specifiers}{d.pointer}{d.extents}>({where}, {d.initial});")
            else:
                made.append(f"auto& {d.name} = cudahost::variable<{specifiers}{d.pointer}{d.extents}>({where});")
        head = self.source(start, after - 1) + " " if after > start else ""
        self.replace(start, end, self.anonymous + " ".join(f"{head}static {one}" for one in made))
        self.statement = end + 1
        return end + 1

    def statement_end(self, place: int, for_variable: bool = False) -> int:
        """The place of the `;` that ends the declaration. For a variable: -1 where it is a function (or a class, a friend …)."""
        there, initialized = place, False
        while self.text(there) != ";":
            text = self.text(there)
            if not text or self.kind(there) == "directive":
                if for_variable:
                    return -1
                raise NotCovered(self.line(place), "the declaration does not end")
            if for_variable and not initialized:
                if text == "(" and self.text(there - 1) not in ("alignas", "__align__", "__attribute__", "decltype"):
                    return -1
                if text == "operator" or text == "}":
                    return -1
                if text == "=":
                    initialized = True
            there = self.matching(there) + 1 if text in OPEN else there + 1
        return there

    def declaration(self, start: int, end: int) -> tuple[str, list[_Declarator]]:
        """The type before the first declarator, and the declarators, of the declaration in `start` … `end` (the `;`)."""
        self.anonymous = ""
        dropped = QUALIFIERS | {"extern", "static", "inline", "thread_local"}
        parts: list[list[str]] = [[]]
        angle, there, braces = 0, start, ""
        while there < end:
            text = self.text(there)
            if text in ("alignas", "__align__", "__attribute__"):
                there = self.matching(there + 1) + 1
                continue
            if text in dropped:
                there += 1
                continue
            if text in OPEN:
                close = self.matching(there)
                whole = self.source(there, close)
                if text == "{" and not any(p == "=" for p in parts[-1]) and {"struct", "union", "class"} & set(parts[-1]):
                    self.tags += 1
                    keyword = next(p for p in parts[-1] if p in ("struct", "union", "class"))
                    named = parts[-1][-1] if parts[-1][-1] != keyword else f"cudahost_type_{self.tags}"
                    braces = f"{keyword} {named} {whole};"
                    parts[-1] = [*[p for p in parts[-1] if p not in (keyword, named)], named]
                else:
                    parts[-1].append(whole)
                there = close + 1
                continue
            if "=" not in parts[-1]:
                angle += _ANGLES.get(text, 0)
            if text == "," and angle == 0:
                parts.append([])
            else:
                parts[-1].append(text)
            there += 1
        self.anonymous = f"{braces} " if braces else ""
        declarators = [_declarator(part, self.line(start)) for part in parts]
        first = declarators[0]
        return first.specifiers, declarators


@dataclass(frozen=True)
class _Declarator:
    specifiers: str
    pointer: str
    name: str
    extents: str  # "[32][33]"
    initial: str

    @property
    def extents_after_first(self) -> str:
        """`[][33]` → `[33]`."""
        return self.extents[self.extents.index("]") + 1 :] if self.extents else ""


def _declarator(words: list[str], line: int) -> _Declarator:
    """`const float * name [ 4 ] = { … }` taken apart; brackets come as whole words."""
    initial = ""
    for i, word in enumerate(words):
        if word == "=":
            words, initial = words[:i], " ".join(words[i + 1 :])
            break
        if word.startswith("{"):
            words, initial = words[:i], word
            break
    extents = ""
    while words and words[-1].startswith("["):
        extents = words.pop() + extents
    if not words or not (words[-1][0].isalpha() or words[-1][0] == "_"):
        raise NotCovered(line, "this declaration is too unusual for the host run: one plain name per declaration, please")
    name = words.pop()
    pointer = ""
    while words and words[-1] in ("*", "__restrict__"):
        pointer = words.pop() + pointer
    return _Declarator(" ".join(words), pointer, name, extents, initial)


def _angle_depth(words: list[str]) -> int:
    return sum(_ANGLES.get(word, 0) for word in words)
