import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { extname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { extractHashComments } from './extract/hash.ts';
import { extractJson } from './extract/json.ts';
import { extractLexed } from './extract/lexed.ts';
import { extractMarkdown } from './extract/markdown.ts';
import { extractScript, type ScriptPools } from './extract/script.ts';
import { SourceFile, type Unit } from './extract/unit.ts';

export const REPOSITORY_ROOT = fileURLToPath(new URL('../../../..', import.meta.url));

/** Pattern for files that aren't handwritten or don't contain prose. */
const EXCLUDED =
  /\.gen\.|\.fuzz\.json$|(^|\/)(fixtures|samples|baselines|corpus\/pages)\/|pnpm-lock|(^|\/)(LICENSE|OFL)|CHANGELOG|\/dev\/prose\/(src\/(rules|grammar)\/|exceptions|words)|\/citations\/rules\.json$|\/attestation\/texts\.json$/;

/** Pattern for headers of generated files. Of these files, only Markdown is checked, because people read it. */
const GENERATED = /^\W*(?:.*\. )?(?:Generated|Written) (?:by|from) |^\W*Code generated /m;

/** JSON files that contain prose, each with the properties to extract: all string properties if `keys` is omitted. */
const JSON_TEXTS: readonly { readonly file: RegExp; readonly keys?: readonly string[] }[] = [
  { file: /(^|\/)package\.json$/, keys: ['description'] },
  { file: /\/caveats\.json$/ },
  { file: /\/conditions\.json$/, keys: ['text'] },
  { file: /\/sources\.json$/, keys: ['note'] },
  { file: /\/(list|removal)\.json$/, keys: ['title'] },
  { file: /\/headings\/[^/]+\.json$/, keys: ['title'] },
  { file: /\/corpus\/reviewed\.json$/, keys: ['reason'] },
  { file: /\/vectors\/cases\/[^/]+\.json$/, keys: ['why', 'comment', 'title'] },
];

/** Pattern for files whose strings are test data, sample data, or official names instead of prose. */
const TEST =
  /\/registry\/columns\.ts$|\/populated-shop\.ts$|\.(test|fuzz|states|stories)\.tsx?$|\/testing\/|\/test\/|\/stand-in\/|\/fake-shopify\/|\/dev\/browser\//;

/**
 * Returns the paths of the files to check, relative to the repository root. `paths` limits the result to the given
 * files and folders, which are relative to the working directory.
 */
export function listFiles(paths: readonly string[]): string[] {
  const limits = paths.map(
    path => relative(REPOSITORY_ROOT, resolve(process.env.INIT_CWD ?? process.cwd(), path)) || '.',
  );
  const listed = execFileSync(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...limits],
    {
      cwd: REPOSITORY_ROOT,
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
      timeout: 60_000,
    },
  );
  return [...new Set(listed.split('\0'))]
    .filter(file => file !== '' && !EXCLUDED.test(file) && existsSync(join(REPOSITORY_ROOT, file)))
    .sort();
}

/** Returns the text units in a file, in source order. */
export function extractFile(file: string): Unit[] {
  const source = new SourceFile(file, readFileSync(join(REPOSITORY_ROOT, file), 'utf8'));
  if (!file.endsWith('.md') && GENERATED.test(source.text.slice(0, 400))) return [];
  return extract(source).sort(
    (a, b) => a.pieces[0]!.line - b.pieces[0]!.line || a.pieces[0]!.column - b.pieces[0]!.column,
  );
}

function extract(source: SourceFile): Unit[] {
  const { file } = source;
  const extension = extname(file);
  const pools: ScriptPools = { strings: TEST.test(`/${file}`) ? undefined : 'messages', comments: 'comments' };
  switch (extension) {
    case '.md':
      return extractMarkdown(source, 'docs');
    case '.ts':
    case '.tsx':
    case '.js':
    case '.mjs':
      return extractScript(source, pools);
    case '.py':
    case '.go':
    case '.java':
      return extractLexed(source, extension, pools);
    case '.yaml':
    case '.yml':
    case '.toml':
    case '.sh':
      return extractHashComments(source, 'comments');
    case '.json':
      return extractJsonFile(source);
    default:
      return /(^|\/)(Dockerfile|\.dockerignore|\.gitignore|run)$/.test(file)
        ? extractHashComments(source, 'comments')
        : [];
  }
}

function extractJsonFile(source: SourceFile): Unit[] {
  const { file } = source;
  if (/\/locales\/en(?:\/[^/]+|\.default(?:\.schema)?)\.json$/.test(file)) return extractJson(source, 'locale');
  const texts = JSON_TEXTS.find(entry => entry.file.test(`/${file}`));
  if (!texts) return [];
  return extractJson(source, file.endsWith('package.json') ? 'docs' : 'messages', texts.keys);
}
