import type { Rule } from './rule.ts';

/** Rules for words to avoid. */
export const BANNED: readonly Rule[] = [
  {
    id: 'anew',
    pattern: /\banew\b/gi,
    message: '"anew" is archaic.',
    suggestion: 'again, or a verb with "re-"',
    fails: ['Load the page anew.'],
    passes: ['Reload the page.'],
  },
  {
    id: 'mend',
    pattern: /\b(un)?mend(s|ed|ing|able)?\b/gi,
    message: 'Software and data are fixed.',
    suggestion: 'fix',
    fails: ['The owner has to mend it.', 'The finding is mended.'],
    passes: ['The amendment applies to every entry.', 'We recommend a new key.'],
  },
  {
    id: 'whoever',
    pattern: /\b(who(m|so)?ever)\b/gi,
    message: 'Name the person or role.',
    suggestion: 'a noun: the developer, the owner, anyone who',
    fails: ['Whoever keeps the theme fixes this.'],
    passes: ['The theme developer fixes this.'],
  },
  {
    id: 'nobody',
    pattern: /\bnobody\b/gi,
    message: 'The sentence hides who does what.',
    suggestion: "a noun with a negated verb: users can't, the value isn't used",
    fails: ['Nobody reads this value.'],
    passes: ["This value isn't used."],
  },
  {
    id: 'stranger',
    pattern: /\bstrangers?\b/gi,
    message: '"stranger" isn\'t a term for input or sites.',
    suggestion: 'untrusted, third-party',
    fails: ["Fetches a stranger's page."],
    passes: ['Fetches an untrusted page.'],
  },
  {
    id: 'stand-in',
    pattern: /\b(stand|stood|standing|stands) (in|for)\b(?! line)|\bstand-ins?\b/gi,
    message: '"stands in" and "stands for" are calques.',
    suggestion: 'is in, represents, means, fake',
    fails: ['It stands in this file of your theme.', 'The prefix stands for ten numbers.'],
    passes: ['The tag is in this theme file.'],
  },
  {
    id: 'by-itself',
    pattern: /\bby (itself|themselves)\b/gi,
    message: '"by itself" is a calque.',
    suggestion: 'automatically, alone, on its own',
    fails: ['The saving goes on by itself.'],
    passes: ['Saving resumes automatically.'],
  },
];
