class Node:
    type: str
    source_line: int
    value: str
    lower_value: str
    name: str
    lower_name: str
    lower_at_keyword: str
    lower_unit: str
    is_identifier: bool
    important: bool
    message: str
    prelude: list[Node]
    content: list[Node] | None
    arguments: list[Node]
