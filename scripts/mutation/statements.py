"""The statements of C++ functions, as far as mechanical changes need them: no types, no names, only where each begins and ends."""

import typing

import cpp_text

CONTROLS = ("if", "for", "while", "switch", "do", "try")


class Statement(typing.NamedTuple):
    kind: str    # "if", "for", "while", "switch", "do", "try", "catch", "return", "break", "continue", "throw", "label", "block", "plain"
    first: int   # index of the first token
    last: int    # of the last one: `;` or `}`
    head: tuple  # indices of the parentheses of a control statement, or ()
    body: tuple  # indices of the first and last token of what it controls, or ()
    orelse: tuple


class Block(typing.NamedTuple):
    opening: int
    closing: int
    statements: list
    is_function: bool  # of a function or a lambda


class Reader:
    """Reads the blocks inside one pair of braces."""

    def __init__(self, tokens):
        self.tokens = tokens
        self.words = [token.text for token in tokens]
        self.blocks, self.statements = [], []

    def block(self, opening, is_function=False):
        closing = cpp_text.closing(self.tokens, opening)
        found = Block(opening, closing, [], is_function)
        self.blocks.append(found)
        at = opening + 1
        while at < closing:
            statement = self.statement(at)
            found.statements.append(statement)
            at = statement.last + 1
        return found

    def statement(self, at):
        made = self.read(at)
        self.statements.append(made)
        return made

    def read(self, at):
        word = self.words[at]
        if word == "{":
            return Statement("block", at, self.block(at).closing, (), (), ())
        if word in ("case", "default") and (colon := self.colon_after(at)):
            return Statement("label", at, colon, (), (), ())
        if word in CONTROLS:
            return self.control(at, word)
        end = self.end_of_plain(at)
        self.lambdas(at, end)
        kind = word if word in ("return", "break", "continue", "throw") else "plain"
        return Statement(kind, at, end, (), (), ())

    def colon_after(self, at):
        while self.words[at] not in (":", ";", "{", "}"):
            at = cpp_text.closing(self.tokens, at) + 1 if self.words[at] in "([" else at + 1
        return at if self.words[at] == ":" else None

    def end_of_plain(self, at):
        while self.words[at] != ";":
            at = cpp_text.closing(self.tokens, at) + 1 if self.words[at] in cpp_text.PAIRS else at + 1
        return at

    def control(self, at, word):
        if word == "try":
            return self.attempt(at)
        if word == "do":
            body = self.statement(at + 1)
            return Statement("do", at, self.end_of_plain(body.last + 1), (), (body.first, body.last), ())
        opening = at + 1
        while self.words[opening] != "(":
            opening += 1  # `if constexpr`
        head = (opening, cpp_text.closing(self.tokens, opening))
        self.lambdas(*head)
        body = self.statement(head[1] + 1)
        last, orelse = body.last, ()
        if word == "if" and self.words[last + 1] == "else":
            other = self.statement(last + 2)
            last, orelse = other.last, (other.first, other.last)
        return Statement(word, at, last, head, (body.first, body.last), orelse)

    def attempt(self, at):
        last = self.block(at + 1).closing
        while self.words[last + 1] == "catch":
            head = (last + 2, cpp_text.closing(self.tokens, last + 2))
            body = self.block(head[1] + 1)
            self.statements.append(Statement("catch", last + 1, body.closing, head, (body.opening, body.closing), ()))
            last = body.closing
        return Statement("try", at, last, (), (), ())

    def lambdas(self, first, last):
        """Reads the bodies of lambdas between two tokens."""
        at = first
        while at <= last:
            if self.words[at] == "[" and at > first and not is_subscript(self.words[at - 1]):
                opening = self.body_of_lambda(at, last)
                if opening:
                    at = self.block(opening, is_function=True).closing
            at += 1

    def body_of_lambda(self, at, last):
        at = cpp_text.closing(self.tokens, at) + 1
        while at < last and self.words[at] not in ("{", ";", ",", ")"):
            at = cpp_text.closing(self.tokens, at) + 1 if self.words[at] == "(" else at + 1
        return at if at < last and self.words[at] == "{" else None


def is_subscript(word):
    return word in (")", "]") or (word[-1].isalnum() or word[-1] == "_") and word not in ("return", "co_return")


def read_function(tokens, body):
    """All blocks and statements of a function's body, those of its lambdas included."""
    reader = Reader(tokens)
    reader.block(body[0], is_function=True)
    return reader
