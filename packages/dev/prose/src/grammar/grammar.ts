import { readFileSync } from 'node:fs';
import { Dialect, LocalLinter } from 'harper.js';
import { slimBinary } from 'harper.js/slimBinary';
import type { Unit } from '../extract/unit.ts';
import { maskAsNoun } from '../mask.ts';
import type { Problem } from '../problem.ts';
import { countWords } from '../sentences.ts';
import { Cache } from './cache.ts';
import { HARPER_RULES } from './rules.ts';

/** Texts checked in one call. Fewer calls are faster, but one call for everything takes too much memory. */
const BATCH = 200;

/** Shorter texts are labels, which have no grammar to check. */
const MIN_WORDS = 3;

/** The rest of a sentence in which a comma follows "and": in "types, lint and format, and prose", "lint and format" is one item. */
const INNER_LIST = /^,?\s+(?:and|or)\b[^.;:()\n]*,/;

const PACKAGE = new URL('../../package.json', import.meta.url);

interface Lint {
  readonly at: number;
  readonly rule: string;
  readonly message: string;
}

/** Returns the grammar errors of units. Equal texts are checked once, and those without errors are cached between runs. */
export async function checkGrammar(units: readonly Unit[]): Promise<Problem[]> {
  const cache = new Cache(readFileSync(PACKAGE, 'utf8') + JSON.stringify(HARPER_RULES));
  const texts = new Set(units.filter(({ text }) => countWords(text) >= MIN_WORDS).map(({ text }) => maskAsNoun(text)));
  const unchecked = [...texts].filter(text => !cache.has(text));
  const found = unchecked.length > 0 ? await lint(unchecked) : new Map<string, Lint[]>();
  for (const text of unchecked) if (!found.has(text)) cache.add(text);
  cache.save();
  if (found.size === 0) return [];
  return units.flatMap(unit => (found.get(maskAsNoun(unit.text)) ?? []).map(problem => ({ unit, ...problem })));
}

/** Returns the errors of each text that has any. */
async function lint(texts: readonly string[]): Promise<Map<string, Lint[]>> {
  const linter = new LocalLinter({ binary: slimBinary, dialect: Dialect.American });
  await linter.setup();
  const names = Object.keys(await linter.getDefaultLintConfig());
  await linter.setLintConfig(Object.fromEntries(names.map(name => [name, name in HARPER_RULES])));
  const found = new Map<string, Lint[]>();
  for (let start = 0; start < texts.length; start += BATCH)
    await lintBatch(linter, texts.slice(start, start + BATCH), found);
  return found;
}

async function lintBatch(linter: LocalLinter, texts: readonly string[], found: Map<string, Lint[]>): Promise<void> {
  const starts: number[] = [];
  let document = '';
  for (const text of texts) {
    starts.push(document.length);
    // A blank line keeps the texts apart.
    document += `${text}\n\n`;
  }
  for (const [rule, lints] of Object.entries(
    await linter.organizedLints(document, { language: 'plaintext', dedup: false }),
  )) {
    for (const item of lints) {
      const { start, end } = item.span();
      if (rule === 'OxfordComma' && INNER_LIST.test(document.slice(end))) continue;
      const index = starts.findLastIndex(textStart => textStart <= start);
      const replacements = item.suggestions().map(suggestion => suggestion.get_replacement_text());
      const use = replacements.length > 0 ? ` Use: ${replacements.map(text => `"${text}"`).join(', ')}.` : '';
      const problem = {
        at: start - starts[index]!,
        rule: `harper/${rule}`,
        message: `"${shorten(item.get_problem_text())}": ${item.message()}${use}`,
      };
      const text = texts[index]!;
      found.set(text, [...(found.get(text) ?? []), problem]);
    }
  }
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60).trim()}…` : text;
}
