import type { Rule } from './rule.ts';

/** Words, other than third-person singular verbs, that a title can start with. */
const OPENERS = "never|can|doesn['’]t|isn['’]t|only|still|also";

/** Words that end like third-person singular verbs but are nouns, pronouns, or adverbs. */
const NOT_VERBS =
  'always|as|its|plus|others|[a-z-]+(?:ss|us|is)|articles|blobs|browsers|callers|certificates|characters|clients|codes|columns|dates|dependencies|errors|events|examples|facts|fields|files|findings|headers|items|jobs|keys|merchants|messages|metals|numbers|objects|options|products|results|rows|rules|screens|scripts|servers|sessions|settings|shops|tables|tags|tests|users|values|variants|webhooks|workers';

/** Words that can follow a plural noun but not a third-person singular verb. */
const AFTER_NOUN = "are|aren['’]t|were|weren['’]t|have|haven['’]t|don['’]t|of";

/** Rules for the form of test titles. */
export const TITLES: readonly Rule[] = [
  {
    id: 'title-verb',
    pattern: new RegExp(
      `^(?=\\p{L})(?!(?:${OPENERS})\\b)(?!(?!(?:${NOT_VERBS})\\b)[a-z-]+s\\b(?! (?:${AFTER_NOUN})\\b))[\\p{L}'’-]+`,
      'gu',
    ),
    kinds: ['title'],
    message: "A test title doesn't start with a verb in the third person singular.",
    suggestion: "a verb, such as rejects, or never, can, can't, doesn't, isn't, only, still, or also",
    fails: [
      'a redirect to a private address',
      'should reject a redirect to a private address',
      'either throws an error or returns a URL',
      'that never ends',
      'findings of an older scan',
      'requests are counted once',
      'siteOf returns the site of a URL',
      'access is denied without a key',
    ],
    passes: [
      'rejects a redirect to a private address',
      'is ready after the first request',
      "doesn't count a rejected request",
      'can’t read the key of another account',
      'never stores a key',
      'only counts requests with a key',
      're-reads a changed file',
      '%s',
      '$name: restores all rows',
      '`siteOf` returns the site of a URL',
    ],
  },
];
