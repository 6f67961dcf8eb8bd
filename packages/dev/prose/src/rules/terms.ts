import type { Rule } from './rule.ts';

/** Rules for American spellings that the dictionary doesn't enforce, and for project terms. */
export const TERMS: readonly Rule[] = [
  {
    id: 'lookup',
    pattern: /\blook-ups?\b/gi,
    message: 'Write the noun as one word.',
    suggestion: 'lookup (noun), look up (verb)',
    fails: ['A look-up of a code.'],
    passes: ['A lookup.', 'Look up a code.'],
  },
  {
    id: 'american',
    pattern:
      /\b(?:catalogue[sd]?|cataloguing|licences?|licenced|judgements?|behaviours?|colour(?:s|ed|ing)?|neighbours?|neighbouring|favour\w*|honour\w*|flavours?|labour|analyse[sd]?|analysing|neutralise[sd]?|normalise[sd]?|organis(?:e|es|ed|ing|ations?)|recognise[sd]?|serialise[sd]?|initialise[sd]?|optimise[sd]?|cancelled|cancelling|labelled|labelling|modelled|modelling|travell\w+|signalling|dialled|dialling|levelled|totalled|marshall\w+|programmes?|cheques?|grey|fulfils|fulfilment|enrols?|artefacts?|learnt|spelt|burnt|whilst|amongst|towards|afterwards|ageing|centre[sd]?|metres?|defence|offence|sceptical|tyres?|e-mails?)\b/gi,
    message: 'This spelling is British or dated.',
    suggestion: 'the American spelling: catalog, license, judgment, behavior, canceled, email, toward, then',
    fails: ['The catalogue of colours.', 'The job was cancelled afterwards.', 'An e-mail address.'],
    passes: ['The catalog of colors.', 'The job was then canceled.', 'An email address.'],
  },
  {
    id: 'percent',
    pattern: /[\d}] %(?!\w)/g,
    message: 'American English has no space before the percent sign.',
    suggestion: '15%',
    fails: ['At least 15 % of the weight.'],
    passes: ['At least 15% of the weight.'],
  },
  {
    id: 'letter-case',
    pattern: /\bsmall letters?\b|\b(?:lower|upper)[- ]case\b/gi,
    message: 'Write the term as one word.',
    suggestion: 'lowercase, uppercase',
    fails: ['Use small letters and digits.', 'Header names are in lower case.'],
    passes: ['Use lowercase letters and digits.'],
  },
  {
    id: 'one-word',
    pattern:
      /\b(?:host|user|file) names?\b|(?<!e-)\bmail address(?:es)?\b|\btelephone(?: numbers?)?\b|\bpower cuts?\b/gi,
    message: 'Use the usual term.',
    suggestion: 'hostname, username, filename, email address, phone number, power failure',
    fails: ['The host name is wrong.', 'Enter a telephone number.', 'It survives a power cut.'],
    passes: ['The hostname is wrong.', 'Enter a phone number.', 'Enter an email address.'],
  },
  {
    id: 'read-as-word',
    pattern: /\ban (?:SHA|SKU)\b/gi,
    message: 'People read this acronym as a word.',
    suggestion: 'a SKU, a SHA-256 hash',
    fails: ['The variant needs an SKU.', 'Compute an SHA-256 hash.'],
    passes: ['The variant needs a SKU.', 'Compute a SHA-256 hash.'],
  },
  {
    id: 'metaphor',
    pattern: /\bsightings?\b|\bthe (?:beats?|desk|doors?|gates?|shelf|stem|stage|patient)\b/gi,
    message: "This isn't a term of the field.",
    suggestion: 'observation, heartbeat, context, dependencies, middleware, storage backend, prefix, harness',
    fails: ['A sighting of a tag.', 'The beat of the worker.'],
    passes: ['An occurrence of a tag.', 'The heartbeat of the worker.'],
  },
];
