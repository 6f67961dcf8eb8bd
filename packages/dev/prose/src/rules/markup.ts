import type { Rule } from './rule.ts';

/** Rules for markup and punctuation that readers shouldn't see. */
export const MARKUP: readonly Rule[] = [
  {
    id: 'escaped-markdown',
    pattern: /\\[`_*]/g,
    kinds: ['heading', 'paragraph', 'item', 'cell'],
    message: 'Readers of the source see the escape character.',
    suggestion: 'a code span without escapes',
    fails: ['Live code pushes \\`addPixelId\\` onto it.'],
    passes: ['Live code pushes `addPixelId` onto it.'],
  },
  {
    id: 'dash',
    pattern: /—|\s–\s/g,
    message: "Don't use dashes between clauses.",
    suggestion: 'a period, a comma, or a colon',
    fails: ['The scan is done — no findings.'],
    passes: ['The scan is done. No findings.', '2018–2026'],
  },
  {
    id: 'exclamation',
    pattern: /[a-z]!(?=\s|$)/gi,
    message: "Don't use exclamation marks.",
    suggestion: 'a period',
    fails: ['Your scan is done!'],
    passes: ['Your scan is done.'],
  },
  {
    id: 'filler',
    pattern: /\b(?:please|sorry|oops|simply)\b/gi,
    message: "Omit this word, because it doesn't add meaning.",
    suggestion: 'no word',
    fails: ['Please reload the page.'],
    passes: ['Reload the page.'],
  },
];
