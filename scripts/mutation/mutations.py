"""Makes mechanical mutants of C++ sources: every small change of these kinds, wherever the text of a function offers one.

    delete    a statement is gone: a call, an assignment, a guard, a loop, an `if` without `else`, the `else`
    negate    the condition of an `if`, of a loop or of `?:` is the other way around
    operand   one side of `&&` or `||` is gone
    once      a loop ends after its first round
    bound     `<` for `<=` and so on; `+ 1` or `- 1` is gone
    swap      two neighbouring arguments of a call change places
    member    a named member of an initializer is not set
    return    the function returns halfway down a block
    device    device 0 for the device of an object
    catch     what undoes something after a failure is gone
    exit      `continue` for `break`, and the reverse

No mutant is chosen or left out by what it means. Those that do not compile are found by the compiler."""

import collections
import random
import typing

import cpp_text
import mutants
import statements

BOUNDS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
# What ends an operand of && and || on its outer side.
LOOSER = ("&&", "||", "?", ":", ",", ";", "=", "return")
DEVICE_0 = "({0}.is_cuda() ? Device{{DeviceType::kCuda, 0}} : {0})"


SPECIFIERS = ("inline", "static", "constexpr", "virtual", "public", "private", "protected", ":")


class Mutation(typing.NamedTuple):
    """Replaces the text from start to end. `function` is the place of the function's body among those of the file."""
    name: str  # FILE:LINE:KIND, and a number if there are several
    file: str
    line: int
    kind: str
    function: int
    start: int
    end: int
    text: str


class Maker:
    """The mutations of one function."""

    def __init__(self, source, body):
        self.source, self.tokens, self.words, self.body = source, source.tokens, source.words, body
        self.read = statements.read_function(source.tokens, body)
        self.found = []
        # What is all that an `if` without `else`, or a loop, controls: without it, nothing is left of that either.
        self.alone = {each.body for each in self.read.statements if each.kind in ("if", "for", "while") and not each.orelse}

    def add(self, kind, first, last, text):
        """Tokens first to last become this text."""
        self.found.append((kind, self.tokens[first].start, self.tokens[last].end, text))

    def text_of(self, first, last):
        return self.source.text[self.tokens[first].start:self.tokens[last].end]

    def spaced(self, at):
        """A binary operator, which clang-format puts between spaces; < of a template is not."""
        text = self.source.text
        return text[self.tokens[at].start - 1].isspace() and text[self.tokens[at].end].isspace()

    def all(self):
        for each in self.read.statements:
            getattr(self, "of_" + each.kind, lambda _: None)(each)
        for block in self.read.blocks:
            self.return_halfway(block)
        for at in range(self.body[0] + 1, self.body[1]):
            self.of_token(at)
        return self.found

    def delete(self, statement):
        if (statement.first, statement.last) not in self.alone:
            self.add("delete", statement.first, statement.last, ";")

    def of_plain(self, statement):
        if statement.first != statement.last and self.words[statement.first] not in ("using", "static_assert", "constexpr"):
            self.delete(statement)

    of_return = of_throw = delete

    def of_if(self, statement):
        if statement.orelse:
            self.add("delete", statement.orelse[0], statement.orelse[1], ";")
        else:
            self.delete(statement)
        if self.words[statement.first + 1] != "constexpr":
            self.negate(statement)

    def negate(self, statement):
        first, last = statement.head[0] + 1, statement.head[1] - 1
        for at in range(first, last):
            if self.words[at] == ";":
                first = at + 1
        self.add("negate", first, last, f"!({self.text_of(first, last)})")

    def of_while(self, statement):
        self.negate(statement)
        self.of_for(statement)

    def of_for(self, statement):
        self.delete(statement)
        first, last = statement.body
        inner = self.text_of(first, last)
        self.add("once", first, last, f"{inner[:-1]} break; }}" if inner.startswith("{") else f"{{ {inner} break; }}")

    def of_break(self, statement):
        self.delete(statement)
        self.add("exit", statement.first, statement.last, "continue;")

    def of_continue(self, statement):
        self.delete(statement)
        self.add("exit", statement.first, statement.last, "break;")

    def of_catch(self, statement):
        first, last = statement.body
        inside = self.words[first + 1:last]
        if inside and inside != ["throw", ";"]:
            self.add("catch", first, last, "{ throw; }" if inside[-2:] == ["throw", ";"] else "{}")

    def return_halfway(self, block):
        inside = [each for each in block.statements if each.kind != "label"]
        if not inside or self.words[block.opening - 1] == "switch":
            return
        at = inside[len(inside) // 2]
        if at.kind in ("return", "break", "continue", "throw"):
            return
        gives = any(each.kind == "return" and self.words[each.first + 1] != ";" for each in self.returns_beside(block))
        self.found.append(("return", self.tokens[at.first].start, self.tokens[at.first].start, "return {}; " if gives else "return; "))

    def returns_beside(self, block):
        """The statements of the innermost function or lambda around the block."""
        around = [each for each in self.read.blocks if each.is_function and each.opening <= block.opening < each.closing]
        own = max(around, key=lambda each: each.opening)
        inner = [each for each in self.read.blocks if each.is_function and own.opening < each.opening < own.closing]
        return [each for each in self.read.statements if own.opening < each.first < own.closing
                and not any(lambda_.opening < each.first < lambda_.closing for lambda_ in inner)]

    def of_token(self, at):
        word = self.words[at]
        if word in ("&&", "||") and self.spaced(at):
            self.add("operand", self.edge(at, -1), at, "")
            self.add("operand", at, self.edge(at, 1), "")
        elif word in BOUNDS and self.spaced(at):
            self.add("bound", at, at, BOUNDS[word])
        elif word in "+-" and self.words[at + 1] == "1" and self.spaced(at):
            self.add("bound", at, at + 1, "")
        elif word == "?":
            first = self.edge(at, -1, ("?", ":", ",", ";", "=", "return"))
            self.add("negate", first, at - 1, f"!({self.text_of(first, at - 1)})")
        elif word == "(" and self.is_call(at):
            self.swap(at)
        elif word == "." and self.words[at - 1] in "{," and self.words[at + 2] in "={":
            self.member(at)
        elif word == "device":
            self.device(at)

    def edge(self, at, step, ends=LOOSER):
        """The furthest token of the operand on that side."""
        opening, closing = ("([{", ")]}") if step > 0 else (")]}", "([{")
        depth, at = 0, at + step
        while True:
            word = self.words[at]
            if depth == 0 and (word in closing or word in ends):
                return at - step
            depth += (word in opening) - (word in closing)
            at += step

    def is_call(self, at):
        before = self.words[at - 1]
        return (before[-1].isalnum() or before[-1] in "_>") and before not in ("if", "for", "while", "switch", "return", "catch")

    def swap(self, opening):
        closing = cpp_text.closing(self.tokens, opening)
        parts, first, at = [], opening + 1, opening + 1
        while at < closing:
            if self.words[at] in cpp_text.PAIRS:
                at = cpp_text.closing(self.tokens, at)
            elif self.words[at] == ",":
                parts.append((first, at - 1))
                first = at + 1
            at += 1
        parts.append((first, closing - 1))
        for left, right in zip(parts, parts[1:]):
            texts = self.text_of(*left), self.text_of(*right)
            if texts[0] != texts[1] and not any("\n" in text or ";" in text for text in texts):
                self.add("swap", left[0], right[1], f"{texts[1]}, {texts[0]}")

    def member(self, at):
        last = self.edge(at, 1, (",",))
        is_last = self.words[last + 1] == "}"
        if not is_last:
            self.add("member", at, last + 1, "")
        elif self.words[at - 1] == ",":
            self.add("member", at - 1, last, "")
        else:
            self.add("member", at, last, "")

    def device(self, at):
        if self.words[at - 1] not in (".", "->"):
            return
        first = at - 1
        while self.words[first] in (".", "->", "::"):
            first -= 1
            if self.words[first] in ")]":
                depth = 0
                while True:
                    depth += (self.words[first] in ")]") - (self.words[first] in "([")
                    if depth == 0:
                        break
                    first -= 1
                first -= 1
            first -= 1
        first += 1
        last = at + 2 if self.words[at + 1:at + 3] == ["(", ")"] else at
        if self.words[last + 1:last + 3] == [".", "index"] and self.words[last + 3] != "=":
            self.add("device", first, last + 2, "0")
        elif self.words[last + 1] not in (".", "=", "("):
            self.add("device", first, last, DEVICE_0.format(self.text_of(first, last)))


def must_not_end(source, body):
    """Whether control must not reach the end of the function: it returns a value."""
    at = body[0]
    while at > 0 and source.words[at - 1] not in (";", "{", "}"):
        at -= 1
    head = [word for word in cpp_text.without_template(source.words[at:body[0]]) if word not in SPECIFIERS]
    if head[:1] == ["void"] and head[1:2] != ["*"]:
        return False
    read = statements.read_function(source.tokens, body)
    inner = [(block.opening, block.closing) for block in read.blocks[1:] if block.is_function]
    own = [each for each in read.statements if not any(first < each.first < last for first, last in inner)]
    if any(each.kind == "return" and source.words[each.first + 1] != ";" for each in own):
        return True
    return False


def mutations_of(source):
    """All mutations of a file, in its order."""
    made = []
    for index, body in enumerate(source.functions):
        for kind, start, end, text in Maker(source, body).all():
            made.append((start, end, kind, text, index))
    named, seen = [], collections.Counter()
    for start, end, kind, text, index in sorted(set(made)):
        line = source.line_of(start)
        name = f"{source.path}:{line}:{kind}"
        seen[name] += 1
        if seen[name] > 1:
            name += f".{seen[name]}"
        named.append(Mutation(name, source.path, line, kind, index, start, end, text))
    return named


def source_of(root, path):
    return mutants.Source(path, (root / path).read_text(encoding="utf-8"))


def sources_under(root, folders):
    """The paths of the sources of these folders, without their tests."""
    found = set()
    for folder in folders:
        for path in (root / folder).rglob("*"):
            if path.suffix in (".cpp", ".hpp") and not path.name.endswith("_test.cpp"):
                found.add(path.relative_to(root).as_posix())
    return sorted(found)


def drawn(all_of_them, count, seed):
    """`count` of them, the same for the same seed; a larger draw contains a smaller one."""
    shuffled = sorted(all_of_them, key=lambda each: each.name)
    random.Random(seed).shuffle(shuffled)
    return shuffled[:count]
