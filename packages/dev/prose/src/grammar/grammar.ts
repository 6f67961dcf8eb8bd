import { readFileSync } from 'node:fs';
import { Dialect, LocalLinter } from 'harper.js';
import { slimBinary } from 'harper.js/slimBinary';
import type { Unit } from '../extract/unit.ts';
import { maskAsNoun } from '../mask.ts';
import type { Problem } from '../problem.ts';
import { countWords } from '../sentences.ts';
import { Cache } from './cache.ts';
import { HARPER_RULES } from './rules.ts';

/** Minimum number of words in a text to check. Shorter texts are labels, which have no grammar to check. */
const MIN_WORDS = 3;

/**
 * Pattern for the text after a flagged list item if a comma follows the next "and" or "or". For example, in "types, lint and
 * format, and prose", "lint and format" is a single item.
 */
const INNER_LIST = /^,?\s+(?:and|or)\b[^.;:()\n]*,/;

/** Pattern for acronyms that Harper spells out ("an S-K-U") but that people read as words ("a skew"). */
const READ_AS_WORD = /^an? (?:SHA|SKU)\b/i;

/** Sources that determine the result for a text: the Harper version, the Harper rules, and this file. */
const VERSION = ['../../package.json', './rules.ts', './grammar.ts']
  .map(path => readFileSync(new URL(path, import.meta.url), 'utf8'))
  .join('');

interface Lint {
  readonly at: number;
  readonly rule: string;
  readonly message: string;
}

/** Returns the grammar errors in text units. Checks each distinct text once, and caches texts without errors between runs. */
export async function checkGrammar(units: readonly Unit[]): Promise<Problem[]> {
  const cache = new Cache(VERSION);
  const texts = new Set(units.filter(({ text }) => countWords(text) >= MIN_WORDS).map(({ text }) => maskAsNoun(text)));
  const unchecked = [...texts].filter(text => !cache.has(text));
  const found = unchecked.length > 0 ? await lint(unchecked) : new Map<string, Lint[]>();
  for (const text of unchecked) if (!found.has(text)) cache.add(text);
  cache.save();
  if (found.size === 0) return [];
  return units.flatMap(unit => (found.get(maskAsNoun(unit.text)) ?? []).map(problem => ({ unit, ...problem })));
}

/** Returns the errors by text. Omits texts without errors. */
async function lint(texts: readonly string[]): Promise<Map<string, Lint[]>> {
  const linter = new LocalLinter({ binary: slimBinary, dialect: Dialect.American });
  await linter.setup();
  const names = Object.keys(await linter.getDefaultLintConfig());
  await linter.setLintConfig(Object.fromEntries(names.map(name => [name, name in HARPER_RULES])));
  const found = new Map<string, Lint[]>();
  for (const text of texts) {
    const lints = await lintText(linter, text);
    if (lints.length > 0) found.set(text, lints);
  }
  return found;
}

/** Checks one text per call, because in a longer document, Harper's findings for a text depend on the surrounding texts. */
async function lintText(linter: LocalLinter, text: string): Promise<Lint[]> {
  const options = { language: 'plaintext', dedup: false } as const;
  // `lint` takes 20% less time than `organizedLints`, but it doesn't return the rules.
  if ((await linter.lint(text, options)).length === 0) return [];
  const lints = await linter.organizedLints(text, options);
  return Object.entries(lints).flatMap(([rule, items]) =>
    items.flatMap(item => {
      const { start, end } = item.span();
      if (rule === 'OxfordComma' && INNER_LIST.test(text.slice(end))) return [];
      if (rule === 'AnA' && READ_AS_WORD.test(text.slice(start))) return [];
      const replacements = item.suggestions().map(suggestion => suggestion.get_replacement_text());
      const use = replacements.length > 0 ? ` Use: ${replacements.map(word => `"${word}"`).join(', ')}.` : '';
      const message = `"${shorten(item.get_problem_text())}": ${item.message()}${use}`;
      return [{ at: start, rule: `harper/${rule}`, message }];
    }),
  );
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60).trim()}…` : text;
}
