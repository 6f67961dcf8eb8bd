import {
  driftRules,
  localizeRule,
  localizeTerm,
  type MessageTerm,
  pageRules,
  type RuleMeta,
} from '@compliance/core/pixel';
import { de, es, fr, ja, type Translation } from '@compliance/translations';

const ENGLISH: Translation = {
  locale: 'en',
  rules: {},
  terms: {},
  conditions: {},
  caveats: {},
  stacking: {},
  efiling: {},
};

const RULES = new Map<string, RuleMeta>([...pageRules, ...driftRules].map(({ meta }) => [meta.id, meta]));

const TRANSLATIONS: Readonly<Record<string, Translation>> = { de, es, fr, ja };

/**
 * Returns the translation of rules, tariff conditions, and messages about eFiling data. Untranslated strings are in English.
 *
 * @param tag BCP 47 language tag, or null for English
 * @example translationFor('de-AT').locale // 'de'
 */
export function translationFor(tag: string | null): Translation {
  const language = tag?.split('-')[0] ?? '';
  return (Object.hasOwn(TRANSLATIONS, language) ? TRANSLATIONS[language] : undefined) ?? ENGLISH;
}

/** Returns a rule's metadata in the given language, or null if this release no longer includes the rule. */
export function localizedRuleOf(ruleId: string, translation: Translation): RuleMeta | null {
  const meta = RULES.get(ruleId);
  return meta ? localizeRule(meta, translation) : null;
}

/** Returns a rule's title in the given language, or the rule ID if this release no longer includes the rule. */
export const ruleTitleIn = (ruleId: string, translation: Translation): string =>
  localizedRuleOf(ruleId, translation)?.title ?? ruleId;

/**
 * Returns the likely cause of a change, in the given language.
 *
 * @param context term, or English text from an earlier release
 */
export const causeIn = (context: MessageTerm | string | null, translation: Translation): string | null =>
  typeof context === 'object' ? context && localizeTerm(context, translation) : context;
