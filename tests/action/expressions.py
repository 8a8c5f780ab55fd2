"""The expressions of GitHub workflows, as far as `action.yml` uses them."""

import re

TOKEN = re.compile(r"\s*(?:(&&|\|\||==|!=|!|\(|\))|'((?:[^']|'')*)'|([A-Za-z_][\w.-]*(?:\(\))?))")


def interpolate(text, context):
    """Replaces each `${{ … }}` of a text."""
    return re.sub(r"\$\{\{(.*?)\}\}", lambda found: as_text(evaluate(found[1], context)), str(text))


def condition(text, context):
    """Whether a step runs; one without a status function runs only after successes."""
    text = str(text).strip().removeprefix("${{").removesuffix("}}")
    if not re.search(r"\b(always|cancelled|failure|success)\(\)", text):
        text = f"success() && ({text})"
    return truth(evaluate(text, context))


def evaluate(text, context):
    tokens, at = [], 0
    text = text.strip()
    while at < len(text):
        found = TOKEN.match(text, at)
        if not found:
            raise ValueError(f"cannot read the expression {text!r} at {text[at:]!r}")
        tokens.append(found)
        at = found.end()
    value = either(tokens, context)
    if tokens:
        raise ValueError(f"unexpected {tokens[0][0]!r} in {text!r}")
    return value


def either(tokens, context):
    value = both(tokens, context)
    while accept(tokens, "||"):
        right = both(tokens, context)
        value = value if truth(value) else right
    return value


def both(tokens, context):
    value = comparison(tokens, context)
    while accept(tokens, "&&"):
        right = comparison(tokens, context)
        value = right if truth(value) else value
    return value


def comparison(tokens, context):
    value = operand(tokens, context)
    for operator, equal in (("==", True), ("!=", False)):
        if accept(tokens, operator):
            return (as_text(value) == as_text(operand(tokens, context))) == equal
    return value


def operand(tokens, context):
    if accept(tokens, "!"):
        return not truth(operand(tokens, context))
    if accept(tokens, "("):
        value = either(tokens, context)
        if not accept(tokens, ")"):
            raise ValueError("a parenthesis is not closed")
        return value
    token = tokens.pop(0)
    if token[2] is not None:
        return token[2].replace("''", "'")
    return lookup(token[3], context)


def lookup(name, context):
    value = context
    for key in name.split("."):
        value = value.get(key) if isinstance(value, dict) else None
    return value


def accept(tokens, symbol):
    if tokens and tokens[0][1] == symbol:
        tokens.pop(0)
        return True
    return False


def truth(value):
    return value not in (None, False, "", 0)


def as_text(value):
    return {None: "", True: "true", False: "false"}.get(value, value if isinstance(value, str) else str(value))
