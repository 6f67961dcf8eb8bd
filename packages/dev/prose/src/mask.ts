/** Pattern for code, placeholders, URLs, and email addresses, which aren't words in a sentence. */
const NOT_WORDS =
  /``[^`]+``|`[^`]*`|\$\{[^}]*\}|\{\{[^}]*\}\}|\{@\w+ [^}]*\}|:\w+:`[^`]*`|https?:\/\/[^\s)>\]]+|<\/?[\w-]+[^<>]*>|\b[\w.+-]+@[\w.-]+\.\w+\b/g;

/** Replaces the content of code spans, placeholders, and URLs with underscores, without changing the text length. */
export function mask(text: string): string {
  return text.replace(
    NOT_WORDS,
    match => `${match[0] === '<' ? '_' : match[0]}${'_'.repeat(match.length - 2)}${match.at(-1)}`,
  );
}

/**
 * Pattern for text that a grammar checker would split incorrectly: citations, paths, lists without spaces, options, and
 * names such as `PDF/A`.
 */
const NOT_GRAMMAR =
  /\d[\d.]*(?:\([a-z\d]+\))+|(?<!\S)\.{0,2}\/?[\w.@-]+\/[\w./-]+|(?<!\S)\.[a-z]\w+|\b[a-z]+(?:,[a-z]+)+\b|--[a-z][\w-]*(?: [A-Z]{2,}\b)?|\bhttps?\b/g;

/** Pattern for the start of a word that takes the article "an". */
const VOWEL = /^(?:\{@\w+ )?[^\w.]*(?:[aeiou]|https?\b)/i;

/**
 * Replaces code spans, placeholders, and URLs with a word of the same length, so that a grammar checker sees a noun.
 * The word starts with a vowel if the original text does, so that a preceding article is still correct. Characters
 * outside the Basic Multilingual Plane become two letters, because the checker counts code points.
 */
export function maskAsNoun(text: string): string {
  let count = 0;
  const asNoun = (match: string) => {
    const first = VOWEL.test(match) ? 'E' : 'Z';
    // Alternate between two letters, because grammar checkers flag repeated words.
    return `${first}${'xz'[count++ % 2]!.repeat(match.length - 1)}`;
  };
  return text
    .replace(NOT_WORDS, asNoun)
    .replace(NOT_GRAMMAR, asNoun)
    .replace(/[\u{10000}-\u{10ffff}]/gu, 'xx');
}
