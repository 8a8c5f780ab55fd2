"""What a client reports of an answer, in the same form for both clients."""

from dataclasses import dataclass, field


@dataclass
class Answer:
    text: str = ""
    # Name and arguments of each call, in order.
    calls: list = field(default_factory=list)
    # The provider's own word.
    stop: str | None = None
    input: int = 0
    output: int = 0
    cached: int = 0
    reasoning: int = 0
    # The status of an error instead of an answer; 0 where a stream failed.
    error: int | None = None

    def differences(self, other):
        """The fields that differ, each with both values. What a failed call delivered before is not compared."""
        failed = self.error is not None or other.error is not None
        names = ["error"] if failed else self.__dataclass_fields__
        pairs = {name: (getattr(self, name), getattr(other, name)) for name in names}
        return {name: f"{one!r} and {two!r}" for name, (one, two) in pairs.items() if one != two}
