import { BANNED } from './banned.ts';
import { CALQUES } from './calques.ts';
import { MARKUP } from './markup.ts';
import type { Rule } from './rule.ts';
import { TERMS } from './terms.ts';
import { TITLES } from './titles.ts';

/** All house rules. */
export const RULES: readonly Rule[] = [...BANNED, ...CALQUES, ...TERMS, ...MARKUP, ...TITLES];
