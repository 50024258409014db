"""Generates a class whose method overloads type the parameters and result of every operation."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]
METHODS = ("get", "post", "put", "patch", "delete")
DIVIDING = ("page", "page_size", "after")
TYPES = {"string": "str", "integer": "int", "boolean": "bool"}
# Methods of ApiCalls whose names differ from the HTTP method.
METHOD_NAMES = {"list": "pages(", "stream": "opened("}
IMPORTS = """
from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import Any, Literal, TypedDict, overload

from payment_collection import schemas
from payment_collection.api_calls import ApiCalls

if sys.version_info >= (3, 11):
    from typing import Required
else:
    from typing_extensions import Required
"""


class Generated:
    """Collects overloads and parameter types. Each parameter type is declared once."""

    def __init__(self, document: Json) -> None:
        self.bodies: Json = document["components"]["schemas"]
        self.types: dict[str, str] = {}
        self.keyed: list[str] = []
        self.overloads: dict[str, list[str]] = {name: [] for name in (*METHODS, "list", "stream")}
        for path, item in document["paths"].items():
            for method in METHODS:
                if method in item:
                    self.add(path, method, item[method])

    def add(self, path: str, method: str, operation: Json) -> None:
        given = operation.get("parameters", [])
        names = [one["name"] for one in given if one["in"] == "path"]
        query = [one for one in given if one["in"] == "query"]
        where = f"path: Literal[{path!r}], *"
        if names:
            where += f", params: {self.path_type(names)}"
        body = self.body_argument(operation)
        if any(one["name"] == "Idempotency-Key" for one in given):
            self.keyed.append(path)
            body += ", idempotency_key: str | None = None"
        content = operation["responses"]["200"]["content"]
        kind = operation["operationId"][0].upper() + operation["operationId"][1:]
        asked = self.query_argument(f"{kind}Query", query)
        if "application/json" not in content:
            self.overload("stream", where + asked, "AbstractContextManager[Iterator[bytes]]")
            return
        answer = self.data_of(content["application/json"]["schema"]["$ref"])
        self.overload(method, where + asked + body, f"schemas.{answer}")
        if "total_pages" in self.bodies[answer].get("properties", {}):
            item = self.bodies[answer]["properties"]["data"]["items"]["$ref"].rsplit("/", 1)[1]
            filtered = [one for one in query if one["name"] not in DIVIDING]
            sized = f"{self.query_argument(f'{kind}Filter', filtered)}, page_size: int = 100"
            self.overload("list", where + sized, f"Iterator[schemas.{item}]")

    def overload(self, name: str, arguments: str, answer: str) -> None:
        # A star without following arguments is a syntax error.
        arguments = arguments.removesuffix(", *")
        self.overloads[name].append(f"    @overload\n    def {name}(self, {arguments}) -> {answer}: ...\n")

    def data_of(self, reference: str) -> str:
        """Returns the type of a response without the `{status, data}` envelope."""
        name = reference.rsplit("/", 1)[1]
        fields = self.bodies[name].get("properties", {})
        is_envelope = fields.get("status", {}).get("$ref", "").endswith("/SuccessStatus")
        return str(fields["data"]["$ref"].rsplit("/", 1)[1]) if is_envelope else name

    def path_type(self, names: list[str]) -> str:
        name = "".join(one[0].upper() + one[1:] for one in names) + "Path"
        lines = "".join(f"    {one}: str\n" for one in names)
        self.types[name] = f"class {name}(TypedDict):\n{lines}"
        return name

    def query_argument(self, name: str, query: list[Json]) -> str:
        if not query:
            return ""
        is_needed = any(one["required"] for one in query)
        if not is_needed and [one["name"] for one in query] == list(DIVIDING):
            name = "PageQuery"
        lines = []
        for one in query:
            options = one["schema"].get("enum")
            of = f"Literal[{', '.join(map(repr, options))}]" if options else TYPES[one["schema"]["type"]]
            lines.append(f"    {one['name']}: {f'Required[{of}]' if one['required'] else of}\n")
        self.types[name] = f"class {name}(TypedDict, total=False):\n{''.join(lines)}"
        return f", query: {name}" if is_needed else f", query: {name} | None = None"

    @staticmethod
    def body_argument(operation: Json) -> str:
        body = operation.get("requestBody")
        if body is None:
            return ""
        name = body["content"]["application/json"]["schema"]["$ref"].rsplit("/", 1)[1]
        return f", body: schemas.{name}" + ("" if body.get("required") else " | None = None")


def operations(document: Json) -> dict[str, str]:
    """Returns the text of each module, by file name."""
    made = Generated(document)
    parts = [
        IMPORTS,
        *(f"\n{text}" for text in made.types.values()),
        '\nclass Operations(ApiCalls):\n    """Calls any operation by its path in the API reference."""\n',
    ]
    for name, overloads in made.overloads.items():
        target = METHOD_NAMES.get(name, f"call({name.upper()!r}, ")
        parts += [*overloads, f"    def {name}(self, path: str, **given: Any) -> Any:"]
        parts.append(f"        return self.{target}path, **given)\n")
    keyed = "".join(f"        {path!r},\n" for path in sorted(made.keyed))
    why = "# POSTs that accept an Idempotency-Key. Other paths reject the header."
    listed = f"from typing import Final\n\n{why}\nKEYED_PATHS: Final = frozenset(\n    (\n{keyed}    )\n)\n"
    return {"operations.py": "\n".join(parts), "keyed_paths.py": listed}
