"""Tokens and functions of C++ code, for mutants.py, which finds text regardless of its layout."""

import bisect
import re
import typing

TOKEN = re.compile(
    r'(?P<comment>//[^\n]*|/\*.*?\*/)'
    r'|(?:u8|[uUL])?R"(?P<end>\w*)\(.*?\)(?P=end)"'
    r'|(?:u8|[uUL])?"(?:\\.|[^"\\\n])*"'
    r"|'(?:\\.|[^'\\\n])+'"
    r"|\.?\d(?:[eEpP][+-]|'\w|[\w.])*"
    r'|[A-Za-z_]\w*'
    r'|::|->|==|!=|<=|>=|&&|\|\||[-+*/%|&^]=|\+\+|--'
    r'|\S', re.S)
PAIRS = {"(": ")", "{": "}", "[": "]"}


class Token(typing.NamedTuple):
    text: str
    start: int
    end: int


def tokens_of(text):
    """All tokens except comments."""
    return [Token(match[0], match.start(), match.end()) for match in TOKEN.finditer(text) if not match["comment"]]


def on_one_line(text):
    """The same tokens without comments and line ends."""
    pieces, last = [], 0
    for token in tokens_of(text):
        pieces.append((" " if token.start > last and pieces else "") + token.text)
        last = token.end
    return "".join(pieces)


def closing(tokens, index):
    """The index of the bracket that closes the one at the index."""
    depth = 0
    for at in range(index, len(tokens)):
        if tokens[at].text in PAIRS:
            depth += 1
        elif tokens[at].text in PAIRS.values():
            depth -= 1
            if depth == 0:
                return at
    raise ValueError(f"'{tokens[index].text}' is not closed")


def functions_of(text, tokens):
    """The outermost function bodies, as pairs of the indices of their braces."""
    return declarations_of(text, tokens)[0]


def declarations_of(text, tokens):
    """The outermost function bodies, and the indices at which a declaration outside of functions begins or could begin."""
    bodies, starts, at, head = [], {0}, 0, 0
    while at < len(tokens):
        starts.add(head)
        word = tokens[at].text
        if word == "#":
            at = past_directive(text, tokens, at)
            head = at
            continue
        if word in "([":
            at = closing(tokens, at)
        elif word == "{":
            kind = kind_of_brace([token.text for token in tokens[head:at]])
            if kind == "scope":
                head = at + 1
            else:
                end = closing(tokens, at)
                if kind == "function":
                    bodies.append((at, end))
                    head = end + 1
                at = end
        elif word in ";}" or word == ":" and tokens[at - 1].text in ("public", "private", "protected"):
            head = at + 1
        at += 1
    return bodies, starts | {head}


def past_directive(text, tokens, at):
    end = text.find("\n", tokens[at].start)
    while end > 0 and text[end - 1] == "\\":
        end = text.find("\n", end + 1)
    end = len(text) if end < 0 else end
    return bisect.bisect_left(tokens, end, key=lambda token: token.start)


def kind_of_brace(head):
    """What a brace opens, by the words of its declaration before it: "scope", "function" or "data"."""
    head = without_template(head)
    words = [word for word in head if word not in ("inline", "export")]
    if words[:1] == ["namespace"] or words[:1] == ["extern"] and len(words) == 2:
        return "scope"
    if words[:1] in (["struct"], ["class"], ["union"]):
        return "scope"
    depth, outer = 0, []
    for word in head:
        depth -= word in PAIRS.values()
        if depth == 0:
            outer.append(word)
        depth += word in PAIRS
    if words[:1] == ["enum"] or "(" not in head:
        return "data"
    if "=" in outer and outer[outer.index("=") - 1] != "operator":
        return "data"
    # A member that its constructor initialises in braces.
    if ":" in outer and re.match(r"\w|>$", head[-1]):
        return "data"
    return "function"


def without_template(head):
    while head[:2] == ["template", "<"]:
        depth = 0
        for at, word in enumerate(head):
            depth += (word == "<") - (word == ">")
            if word == ">" and depth == 0:
                break
        head = head[at + 1:]
    return head
