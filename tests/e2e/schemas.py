"""Holds YAML files to the JSON Schemas that the program prints.

schemas.py accept SCHEMA FILE...   every document is valid
schemas.py reject SCHEMA FILE...   prints the files of which every document is valid
schemas.py json SCHEMA FILE...     the same as accept for JSON files
"""
import json
import re
import sys

import jsonschema
import yaml


class Loader(yaml.SafeLoader):
    """YAML 1.2 as gpuplan reads it: dates are text, and only true and false are booleans."""


Loader.yaml_implicit_resolvers = {
    first: [row for row in rows if row[0].rsplit(":", 1)[1] not in ("timestamp", "bool")]
    for first, rows in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile("^(true|false)$"), list("tf"))


def documents(kind, path):
    with open(path, encoding="utf-8") as file:
        if kind == "json":
            return [json.load(file)]
        return [each for each in yaml.load_all(file, Loader) if each is not None]


def faults(validator, kind, path):
    try:
        found = documents(kind, path)
    except (yaml.YAMLError, ValueError, UnicodeDecodeError) as error:
        return [f"{path}: cannot be read: {error}"]
    return [
        f"{path}: {'/'.join(map(str, error.absolute_path))}: {error.message[:200]}"
        for document in found
        for error in validator.iter_errors(document)
    ]


def main():
    kind, schema_path, *paths = sys.argv[1:]
    with open(schema_path, encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    for path in paths:
        found = faults(validator, kind, path)
        if kind != "reject":
            print("\n".join(found), end="\n" if found else "")
        elif not found:
            print(path)


main()
