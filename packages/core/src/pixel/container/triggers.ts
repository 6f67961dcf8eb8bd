import type { ContainerTrigger, TriggerCondition, TriggerKind } from '../model/container.ts';
import { isObject, own, type Values } from './values.ts';

/** Built-in data layer events that Tag Manager sends, and the triggers they activate. */
const EVENTS: Readonly<Record<string, TriggerKind>> = {
  'gtm.init_consent': 'consent_initialization',
  'gtm.init': 'initialization',
  'gtm.js': 'page_view',
  'gtm.dom': 'dom_ready',
  'gtm.load': 'window_loaded',
  'gtm.click': 'click',
  'gtm.linkClick': 'link_click',
  'gtm.formSubmit': 'form_submission',
  'gtm.historyChange': 'history_change',
  'gtm.historyChange-v2': 'history_change',
  'gtm.scrollDepth': 'scroll_depth',
  'gtm.elementVisibility': 'element_visibility',
  'gtm.timer': 'timer',
  'gtm.video': 'video',
  'gtm.pageError': 'javascript_error',
  'gtm.triggerGroup': 'trigger_group',
};

const OPERATORS: Readonly<Record<string, string>> = {
  _eq: 'equals',
  _cn: 'contains',
  _sw: 'starts with',
  _ew: 'ends with',
  _re: 'matches regex',
  _css: 'matches CSS selector',
  _lt: 'is less than',
  _le: 'is less than or equal to',
  _gt: 'is greater than',
  _ge: 'is greater than or equal to',
};
const COMPARABLE = new Set(['equals', 'contains', 'starts with', 'ends with']);

const MAX_TRIGGERS = 100;
const MAX_CONDITIONS = 30;
/** Maximum number of rule-to-tag links to read. */
const MAX_LINKS = 100_000;

/** A predicate's event or condition, or `trigger_id` if the predicate tests which trigger started a listener. */
type Predicate =
  | { readonly event: string; readonly exact: boolean }
  | { readonly condition: Omit<TriggerCondition, 'negated'> }
  | 'trigger_id';

/** The triggers and exceptions for a single tag. */
export interface TagTriggers {
  readonly triggers: ContainerTrigger[];
  readonly exceptions: ContainerTrigger[];
}

/**
 * Returns the triggers and exceptions for each tag, by tag index. A container rule lists the predicates that must be
 * true (`if`) or false (`unless`), and the tags that the rule fires (`add`) or blocks (`block`).
 */
export function readTriggers(
  rules: readonly unknown[],
  predicates: readonly unknown[],
  values: Values,
): Map<number, TagTriggers> {
  const read = predicates.map(predicate => readPredicate(predicate, values));
  const byTag = new Map<number, TagTriggers>();
  let links = 0;
  for (const rule of rules) {
    if (!Array.isArray(rule)) continue;
    const clauses = rule.slice(0, 20).filter((clause): clause is unknown[] => Array.isArray(clause));
    const trigger = triggerOf(clauses, read);
    for (const clause of clauses) {
      if (clause[0] !== 'add' && clause[0] !== 'block') continue;
      for (let i = 1; i < clause.length; i++) {
        if (++links > MAX_LINKS) {
          values.truncated = true;
          return byTag;
        }
        const tag = Number(clause[i]);
        const found = byTag.get(tag) ?? { triggers: [], exceptions: [] };
        byTag.set(tag, found);
        const list = clause[0] === 'add' ? found.triggers : found.exceptions;
        if (list.length < MAX_TRIGGERS) list.push(trigger);
      }
    }
  }
  return byTag;
}

function triggerOf(clauses: readonly unknown[][], predicates: readonly (Predicate | null)[]): ContainerTrigger {
  let kind: TriggerKind = 'any_event';
  let event: string | null = null;
  const conditions: TriggerCondition[] = [];
  for (const clause of clauses) {
    const negated = clause[0] === 'unless';
    if (!negated && clause[0] !== 'if') continue;
    for (let i = 1; i < clause.length && conditions.length < MAX_CONDITIONS; i++) {
      const predicate = predicates[Number(clause[i])];
      // Ignore the ID of the trigger that started a listener, because it adds no information beyond the event type.
      if (!predicate || predicate === 'trigger_id') continue;
      if ('condition' in predicate) conditions.push({ ...predicate.condition, negated });
      else if (negated) conditions.push({ text: `Event equals ${predicate.event}`, negated, page: null });
      else {
        event = predicate.event;
        kind = predicate.exact && Object.hasOwn(EVENTS, event) ? EVENTS[event]! : 'custom_event';
      }
    }
  }
  return { kind, event, conditions };
}

function readPredicate(predicate: unknown, values: Values): Predicate | null {
  if (!isObject(predicate)) return null;
  const code = String(own(predicate, 'function')).slice(0, 40);
  const operator = Object.hasOwn(OPERATORS, code) ? OPERATORS[code]! : code.replace(/^_+/, '');
  const subject = values.variableOf(own(predicate, 'arg0'));
  const code0 = subject && own(subject, 'function');
  const value = values.shown(own(predicate, 'arg1'));
  if (code0 === '__e') return { event: value, exact: operator === 'equals' };
  if (subject && code0 === '__v' && own(subject, 'vtp_name') === 'gtm.triggers') return 'trigger_id';
  const text = `${values.shown(own(predicate, 'arg0')).replace(/^\{\{(.*)\}\}$/, '$1')} ${operator} ${value}`;
  const part = subject && code0 === '__u' ? urlPart(subject) : null;
  const page =
    part &&
    COMPARABLE.has(operator) &&
    values.options(own(predicate, 'arg1')).exact &&
    own(predicate, 'ignore_case') !== true
      ? { part, operator: operator as 'equals', value }
      : null;
  return { condition: { text, page } };
}

/**
 * Returns the part of the page URL that a URL variable reads, or `null` if the variable modifies the value or reads a
 * part other than the full URL, host, or path.
 */
function urlPart(macro: Readonly<Record<string, unknown>>): 'url' | 'host' | 'path' | null {
  const changes = ['vtp_customUrlSource', 'vtp_stripWww', 'vtp_defaultPages', 'convert_case_to'];
  if (changes.some(key => own(macro, key) !== undefined && own(macro, key) !== false)) return null;
  const part = own(macro, 'vtp_component') ?? 'URL';
  return part === 'URL' ? 'url' : part === 'HOST' ? 'host' : part === 'PATH' ? 'path' : null;
}
