import { docsUrl, type Finding } from '../model/finding.ts';
import { formatMessage, formatTerm, hasEveryValue, type MessageLanguage, type MessageTerm } from '../model/message.ts';
import type { RuleMeta } from '../model/rule.ts';
import { driftRules, pageRules } from '../rules/rules.gen.ts';
import { type ContextMeta, contextMetas } from '../scan/context-findings.ts';
import { redact } from '../scan/redact.ts';

/** One rule's strings in one language. A missing string is shown in English. */
export interface RuleTranslation {
  readonly title?: string;
  readonly what?: string;
  readonly why?: string;
  readonly fix?: string;
  readonly fixHeadless?: string;
  readonly messages?: Readonly<Record<string, string>>;
}

/** All rule strings and message terms in one language. */
export interface ScanTranslation extends MessageLanguage {
  readonly rules: Readonly<Partial<Record<string, RuleTranslation>>>;
}

/** The fields of a finding that contain rule text. */
type LocalizableFinding = Pick<Finding, 'rule_id' | 'message' | 'message_id' | 'message_values' | 'fix'>;

const HEADLESS_FIXES = new Map([...pageRules, ...driftRules].map(({ meta }) => [meta.id, meta.fixHeadless]));

/**
 * English strings for all rules and context findings, by ID. Each translation has the same structure as the English
 * strings.
 */
export const ruleTexts: ReadonlyMap<string, RuleTranslation> = new Map(
  [...pageRules.map(({ meta }) => meta), ...driftRules.map(({ meta }) => meta), ...contextMetas].map(
    (meta: RuleMeta | (ContextMeta & { readonly why?: never; readonly fixHeadless?: never })) => {
      const { id, title, what, why, fix, fixHeadless, messages = {} } = meta;
      return [id, { title, what, ...(why && { why }), fix, ...(fixHeadless && { fixHeadless }), messages }];
    },
  ),
);

/**
 * Returns a rule's metadata in another language.
 *
 * @example localizeRule(pageRules[0].meta, german).title
 */
export function localizeRule<Meta extends Pick<RuleMeta, 'id' | 'messages'> | ContextMeta>(
  meta: Meta,
  { rules }: ScanTranslation,
): Meta {
  const own = translationOf(meta.id, rules);
  return { ...meta, ...own, messages: { ...meta.messages, ...own.messages } };
}

/**
 * Returns a finding with its message, fix, and rule page link in another language, and adds the message language. The
 * message stays in English if it has no translation, or if the finding is from an earlier release that didn't store
 * message values.
 *
 * @example localizeFinding(scan(capture, options).findings[0], german).message
 */
export function localizeFinding<F extends LocalizableFinding>(
  finding: F,
  translation: ScanTranslation,
): F & { readonly message_language: string } {
  const { rule_id, message_id, message_values: values } = finding;
  const own = translationOf(rule_id, translation.rules);
  const isHeadless = finding.fix === HEADLESS_FIXES.get(rule_id);
  const fix = (isHeadless ? own.fixHeadless : own.fix) ?? finding.fix;
  const texts: Readonly<Record<string, string | undefined>> = { ...own.messages, what: own.what };
  const local = { ...finding, ...('docs_url' in finding && { docs_url: docsUrl(rule_id, translation.locale) }), fix };
  const text = message_id !== undefined && Object.hasOwn(texts, message_id) ? texts[message_id] : undefined;
  return text !== undefined && hasEveryValue(text, values)
    ? {
        ...local,
        message: redact(formatMessage(text, values, translation)),
        message_language: translation.locale,
      }
    : { ...local, message_language: 'en' };
}

/** Returns a term, such as the likely cause of a change, in another language, or `null` if the term is unknown. */
export const localizeTerm = (term: MessageTerm, translation: ScanTranslation): string | null =>
  hasEveryValue('{term}', { term }) ? formatTerm(term, translation) : null;

const translationOf = (id: string, rules: ScanTranslation['rules']): RuleTranslation =>
  (Object.hasOwn(rules, id) ? rules[id] : undefined) ?? {};
