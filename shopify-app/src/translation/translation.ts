import {
  driftRules,
  localizeRule,
  localizeTerm,
  type MessageTerm,
  pageRules,
  type RuleMeta,
} from '@compliance/core/pixel';
import { en, type Translation, translationOf } from '@compliance/translations';

const RULES = new Map<string, RuleMeta>([...pageRules, ...driftRules].map(({ meta }) => [meta.id, meta]));

/**
 * Returns a language's translations of rules, tariff conditions, and messages about eFiling data. Untranslated strings
 * and unsupported languages fall back to English.
 *
 * @param tag BCP 47 language tag, or null for English
 * @example translationFor('de-AT').locale // 'de'
 */
export const translationFor = (tag: string | null): Translation => (tag === null ? null : translationOf(tag)) ?? en;

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
