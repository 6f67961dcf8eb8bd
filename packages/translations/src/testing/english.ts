import { EFILING_MESSAGES } from '@compliance/core/entry';
import { MESSAGE_TERMS, RENDERING_MESSAGES, REPORT_TEXTS, ruleTexts, TRAFFIC_PROBLEMS } from '@compliance/core/pixel';
import { DATASET } from '@compliance/core/tariff';
import { en, type Translation } from '../index.ts';

/** The English strings of `core`, the data set, and the rule pages. Every translation has the same structure. */
export const ENGLISH_STRINGS: Omit<Translation, 'locale'> = {
  pages: en.pages,
  rendering: {
    messages: RENDERING_MESSAGES,
    problems: Object.fromEntries(
      Object.entries(TRAFFIC_PROBLEMS).map(([code, { title, fix }]) => [code, { title, fix }]),
    ),
  },
  report: REPORT_TEXTS,
  rules: Object.fromEntries(ruleTexts) as Translation['rules'],
  terms: MESSAGE_TERMS,
  efiling: EFILING_MESSAGES,
  conditions: Object.fromEntries(Object.entries(DATASET.conditions).map(([id, { text }]) => [id, text])),
  caveats: DATASET.caveats,
  stacking: Object.fromEntries(DATASET.stacking.map(({ text }) => [text, text])),
};
