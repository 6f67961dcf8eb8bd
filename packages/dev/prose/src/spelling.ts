import { readFileSync } from 'node:fs';
import { getDefaultSettings, getDictionary } from 'cspell-lib';
import type { Unit } from './extract/unit.ts';
import { mask } from './mask.ts';
import type { Problem } from './problem.ts';

/** `cspell` dictionaries, which are npm packages. */
const DICTIONARIES = ['en_us', 'softwareTerms', 'companies'];

/** Project words, one per line. */
const WORDS = new URL('../words.txt', import.meta.url);

/**
 * Pattern for code identifiers and acronyms: tokens that contain a symbol, a digit, a capital letter after a lowercase
 * letter, or two consecutive capital letters, or that start with a hyphen, a period, or a colon.
 */
const CODE = /[_/\\@#$=<>{}|~^*+]|\p{L}[.:]\p{L}|\d|\p{Ll}\p{Lu}|^[-.:]|\(\)|\p{Lu}{2}/u;

/** Returns a function that finds the misspelled words in a text unit. */
export async function loadSpelling(): Promise<(unit: Unit) => Problem[]> {
  const words = readFileSync(WORDS, 'utf8').split('\n').filter(Boolean);
  const dictionary = await getDictionary({ ...(await getDefaultSettings()), dictionaries: DICTIONARIES, words });
  const known = new Map<string, boolean>();
  const isKnown = (word: string) => {
    let result = known.get(word);
    if (result === undefined) known.set(word, (result = dictionary.has(word)));
    return result;
  };
  return unit =>
    wordsOf(unit.text)
      .filter(({ word }) => !isKnown(word))
      .map(({ word, at }) => ({
        unit,
        at,
        rule: 'spelling',
        message: `"${word}" isn't in the dictionary. Use a known word, format the word as code, or, if it’s a real term, add it to words.txt.`,
      }));
}

/**
 * Returns each word that has at least three letters and isn't a code identifier or an acronym, along with its index.
 */
function wordsOf(text: string): { readonly word: string; readonly at: number }[] {
  return [...mask(text).matchAll(/\S+/g)].flatMap(({ 0: chunk, index }) => {
    if (CODE.test(chunk.replace(/^["'“‘([]+|[)\]"'”’.,;:!?…]+$/g, ''))) return [];
    return [...chunk.matchAll(/\p{Script=Latin}[\p{Script=Latin}’']*/gu)]
      .map(match => ({ word: match[0].replace(/[’']s?$/u, ''), at: index + match.index }))
      .filter(({ word }) => word.length > 2);
  });
}
