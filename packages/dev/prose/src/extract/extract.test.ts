import { describe, expect, it } from 'vitest';
import { extractHashComments } from './hash.ts';
import { extractJson } from './json.ts';
import { extractLexed } from './lexed.ts';
import { extractMarkdown } from './markdown.ts';
import { extractScript } from './script.ts';
import { positionAt, SourceFile, type Unit } from './unit.ts';

const POOLS = { strings: 'messages', comments: 'comments' } as const;
const lines = (...text: string[]) => text.join('\n');
const listed = (units: readonly Unit[]) => units.map(({ kind, text }) => `${kind}: ${text}`);
const script = (text: string) => extractScript(new SourceFile('example.tsx', text), POOLS);

describe('extractMarkdown', () => {
  const markdown = (text: string) => extractMarkdown(new SourceFile('example.md', text), 'docs');

  it('extracts headings, paragraphs, list items, and table cells, and keeps code spans', () => {
    const units = markdown(
      lines(
        '# A heading',
        '',
        'A paragraph with `code`, *emphasis*,',
        'and a [link](https://example.com).',
        '',
        '- An item',
        '',
        '| One cell | another |',
        '| -------- | ------- |',
        '| `a`      | last    |',
      ),
    );
    expect(listed(units)).toEqual([
      'heading: A heading',
      'paragraph: A paragraph with `code`, emphasis, and a link.',
      'item: An item',
      'cell: One cell',
      'cell: another',
      'cell: `a`',
      'cell: last',
    ]);
  });

  it('skips fenced code, front matter, and HTML', () => {
    expect(
      markdown(lines('---', 'title: Front', '---', '', '```sh', 'some code here', '```', '', '<p>Markup</p>')),
    ).toEqual([]);
  });

  it('keeps escapes as written in the source', () => {
    expect(listed(markdown('Calls \\`fbq\\` here.'))).toEqual(['paragraph: Calls \\`fbq\\` here.']);
  });

  it('finds the line and column of a word in a wrapped paragraph', () => {
    const [unit] = markdown(lines('', '> First line', '> with a word.'));
    expect(positionAt(unit!, unit!.text.indexOf('word'))).toEqual({ line: 3, column: 10 });
  });
});

describe('extractScript', () => {
  it('joins line comments that start in the same column, and splits the result into paragraphs', () => {
    const units = script(
      lines('// One sentence', '// on two lines.', '//', '// Another paragraph.', 'call(); // A trailing comment.'),
    );
    expect(listed(units)).toEqual([
      'comment: One sentence on two lines.',
      'comment: Another paragraph.',
      'comment: A trailing comment.',
    ]);
  });

  it('extracts the text of a docstring, without tag names and examples', () => {
    const units = script(
      lines(
        '/**',
        ' * Returns the sum.',
        ' *',
        ' * - An item.',
        ' * @param first - The first number.',
        ' * @throws Error if a number is missing.',
        ' * @example add(1, 2)',
        ' */',
      ),
    );
    expect(listed(units)).toEqual([
      'docstring: Returns the sum.',
      'docstring: An item.',
      'docstring: The first number.',
      'docstring: Error if a number is missing.',
    ]);
  });

  it('skips tool instructions', () => {
    expect(script('// biome-ignore lint/suspicious/noConsole: it is a command')).toEqual([]);
  });

  it('extracts test titles, suite names, benchmark names, and assertion messages', () => {
    const units = script(
      lines(
        "describe.each([1])('sums of %i', () => {",
        "  it.each([1])('adds %i to it', () => {",
        "    expect(sum, 'the sum of both').toBe(2);",
        '  });',
        '});',
        "test.describe('sums in a browser', () => {});",
        "bench('add two numbers', () => {});",
      ),
    );
    expect(listed(units)).toEqual([
      'suite: sums of %i',
      'title: adds %i to it',
      'label: the sum of both',
      'suite: sums in a browser',
      'label: add two numbers',
    ]);
  });

  it('extracts messages with placeholders from concatenated strings', () => {
    const units = script(
      "throw new Error(`The file \x24{file.name} has \x24{count + 1} rows, ` + 'all of them empty.');",
    );
    expect(listed(units)).toEqual(['message: The file \x24{file.name} has \x24{…} rows, all of them empty.']);
  });

  it.each([
    "import x from 'some package name';",
    "const sql = 'SELECT id FROM keys WHERE id = ?';",
    "const css = 'display: grid; gap: 4px;';",
    'const code = \'fbq("init", 1);\';',
    'const html = \'<div class="a"></div>\';',
    "const url = 'https://example.com/a b';",
    "const names = ('gtag fbq ttq').split(' ');",
    "const x = { sources: ['The title of a page'] };",
    "const pattern = new RegExp('some words here');",
    "const program = 'package main\\n\\n// prints one line of text';",
    'const json = \'"name": "Cascade Cycle Imports LLC",\';',
    'const object = \'title: "The title of a page",\';',
    "const graphql = 'variants { edges { node { id displayName } } }';",
    "const policy = 'default-src self; object-src none; form-action self';",
    "const policy = \"base-uri 'none'; frame-ancestors 'none'\";",
    "const rule = '.heading .name { color: red; }';",
    "const source = 'return await client.send(request, options)';",
    "const source = 'from .client import Client';",
    "const column = 'shop_variants as variant';",
    "const trigger = 'before update of voided_at, void_reason';",
    "const condition = 'the_old.voided_at is not null';",
    "const operators = 'q one rg place f Q';",
    'const option = "-H \'Content-Type: application/json\'";',
  ])('skips a string that is not a message: %s', text => {
    expect(script(text)).toEqual([]);
  });

  it('extracts the text between markup tags', () => {
    const units = script("const page = '<h1>A short title</h1><p>A text with <b>bold</b> words.</p>';");
    expect(listed(units)).toEqual(['message: A short title', 'message: A text with bold words.']);
  });

  it('splits the text between adjacent inline elements, and keeps tags that a sentence mentions', () => {
    const units = script(
      "const link = '<strong>API reference</strong><span>Look up codes</span>';\n" +
        "const text = 'Put the image in a `<noscript>` element after the <body> tag.';",
    );
    expect(listed(units)).toEqual([
      'message: API reference',
      'message: Look up codes',
      'message: Put the image in a `<noscript>` element after the <body> tag.',
    ]);
  });

  it('extracts only the comments from a code sample', () => {
    const units = script(
      lines(
        'const sample = `{',
        '  // The product that you certify, in',
        '  // enough detail.',
        '  "description": "A road helmet in size M",',
        '}`;',
        'const python = \'"""Operations of the API.\\n\\nMore about them.\\n"""\\nfrom .client import Client\\n\';',
        "const script = '/** All page rules. */\\nexport const rules = [';",
        "const command = '    pnpm bench   # runs every benchmark';",
      ),
    );
    expect(listed(units)).toEqual([
      'message: The product that you certify, in enough detail.',
      'message: Operations of the API.',
      'message: More about them.',
      'message: All page rules.',
      'message: runs every benchmark',
    ]);
  });

  it('joins the lines of a list item or an indented row', () => {
    const units = script(
      "const help = 'Exit codes:\\n  0  the command succeeded,\\n     with any result\\n  1  the command failed\\n\\n- One item\\n  on two lines.';",
    );
    expect(listed(units)).toEqual([
      'message: Exit codes:',
      'message: 0 the command succeeded, with any result',
      'message: 1 the command failed',
      'message: - One item on two lines.',
    ]);
  });

  it('extracts JSX text and attributes', () => {
    const units = script('const x = <Banner title="Your scan failed"><p>Try it again.</p></Banner>;');
    expect(listed(units)).toEqual(['message: Your scan failed', 'message: Try it again.']);
  });

  it('skips string literals in test files', () => {
    const source = new SourceFile('example.test.ts', "const x = 'A string in a test.'; // A comment.");
    expect(listed(extractScript(source, { ...POOLS, strings: undefined }))).toEqual(['comment: A comment.']);
  });
});

describe('extractLexed', () => {
  it('extracts comments, docstrings, and messages from Python code', () => {
    const text = lines(
      '# A comment.',
      'def f():',
      '    """Returns nothing.',
      '',
      '    More text.',
      '    """',
      '    raise E("No such key.")',
    );
    expect(listed(extractLexed(new SourceFile('example.py', text), '.py', POOLS)).sort()).toEqual([
      'comment: A comment.',
      'docstring: More text.',
      'docstring: Returns nothing.',
      'message: No such key.',
    ]);
  });

  it('extracts comments and messages from Go code', () => {
    const text = lines(
      '// Package example does',
      '// one thing.',
      'var err = errors.New("the key is missing") // why',
      'const url = "https://example.com"',
    );
    expect(listed(extractLexed(new SourceFile('example.go', text), '.go', POOLS)).sort()).toEqual([
      'comment: Package example does one thing.',
      'comment: why',
      'message: the key is missing',
    ]);
  });
});

it('extracts comments from YAML, TOML, and shell files, but ignores number signs in strings', () => {
  const text = lines('# A comment', '# on two lines.', 'key: "a # b" # The last one.', 'url: http://a#b');
  expect(listed(extractHashComments(new SourceFile('example.yaml', text), 'comments'))).toEqual([
    'comment: A comment on two lines.',
    'comment: The last one.',
  ]);
});

it('extracts all string properties from a JSON file, or only the specified ones', () => {
  const source = new SourceFile('example.json', '{ "a": "One \\"quoted\\" text", "b": { "c": "Other text" }, "d": 1 }');
  expect(listed(extractJson(source, 'locale'))).toEqual(['string: One "quoted" text', 'string: Other text']);
  expect(listed(extractJson(source, 'locale', ['c']))).toEqual(['string: Other text']);
});
