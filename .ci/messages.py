#!/usr/bin/env python3
"""Prints every text that a user can read, in order of file: PLACE: TEXT.

Texts are the files of src/cli/texts and the string literals of src and include, adjacent ones joined, in which there are words:
two or more, or one that begins as a label does. Keys, formats, tags and included names are left
out. With --markdown, the pages that are written by hand follow, line by line.

    .ci/messages.py [--markdown] [PATH...]
"""
import pathlib
import re
import sys

TOKEN = re.compile(
    r'(?P<comment>/\*.*?\*/|//[^\n]*)'
    r'|(?P<include>^[ \t]*#[ \t]*(?:include|if|elif|error)\b[^\n]*)'
    r'|"(?P<text>(?:[^"\\\n]|\\.)*)"'
    r"|(?P<char>'(?:[^'\\]|\\.)+')"
    r'|(?P<number>\bPRI[a-z0-9]+\b)'
    r'|(?P<space>(?:\s|\\\n)+)'
    r'|(?P<other>.)', re.S | re.M)
PAGES = ['README.md', 'docs/guide.md', 'docs/tasks.md', 'docs/calibration.md', 'docs/catalog.md',
         'docs/import.md', 'docs/library.md', 'docs/observe.md', 'docs/rl.md', 'docs/sites.md',
         'docs/wide-ep.md']
ESCAPES = {'n': '\n', 't': ' ', '"': '"', '\\': '\\'}
MARKUP = re.compile(r'<[^>]*>|&[a-z]+;|%[-+ #0-9.*]*[a-zA-Z]*|[#@.]?[a-z-]+\s*\{[^}]*\}|[a-z-]+="[^"]*"')


def unescape(raw):
    return re.sub(r'\\(.)', lambda m: ESCAPES.get(m.group(1), ' '), raw, flags=re.S)


def literals(source):
    """Yields (line, text) for each run of adjacent literals."""
    line, start, parts = 1, 0, []
    for token in TOKEN.finditer(source):
        kind = token.lastgroup
        if kind == 'text' or (kind == 'number' and parts):
            start = start if parts else line
            parts.append(unescape(token['text']) if kind == 'text' else '')
        elif parts and kind not in ('space', 'comment'):
            yield start, ''.join(parts)
            parts = []
        line += token.group().count('\n')
    if parts:
        yield start, ''.join(parts)


def readable(text):
    bare = MARKUP.sub(' ', text)
    words = re.findall(r"(?<![\w./-])[A-Za-z][a-z']*[a-z](?![\w./(=-])", bare)
    return len(words) > 1 or bool(re.fullmatch(r'\s*[A-Z][a-z]{2,}[.:]?\s*', bare))


def messages(paths):
    """Yields (place, text) for every message of the files."""
    for path in paths:
        text = path.read_text()
        if path.suffix in {'.md', '.txt', '.yaml'}:
            found = enumerate(text.split('\n'), 1)
        else:
            found = ((n, t) for n, t in literals(text) if readable(t))
        yield from ((f'{path}:{n}', t) for n, t in found)


def sources(markdown):
    roots = [pathlib.Path('include'), pathlib.Path('src')]
    kinds = {'.c', '.h', '.def', '.inc'}
    found = sorted(p for r in roots for p in r.rglob('*') if p.suffix in kinds)
    found += sorted(pathlib.Path('src/cli/texts').glob('*.[ty]*'))
    return found + [pathlib.Path(p) for p in PAGES if markdown]


def main(arguments):
    markdown = '--markdown' in arguments
    named = [pathlib.Path(a) for a in arguments if a != '--markdown']
    for place, text in messages(named or sources(markdown)):
        print(f'{place}: ' + text.replace('\n', '\\n'))


if __name__ == '__main__':
    main(sys.argv[1:])
