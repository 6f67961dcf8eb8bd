import type { ContainerTag, ContainerTrigger, TriggerCondition, TriggerKind } from '../model/container.ts';
import type { Confidence, State } from '../model/execution.ts';

/** The parts of the page URL that triggers can match against. */
export interface PageUrl {
  readonly url: string;
  readonly host: string;
  readonly path: string;
}

/** Whether, when, and in what order a tag runs, assuming that its container runs when the page loads. */
export interface TagRun {
  readonly state: State;
  readonly confidence: Confidence;
  readonly stage: number;
}

/** Triggers that fire while a page loads, in order. */
const STAGES: readonly TriggerKind[] = [
  'consent_initialization',
  'initialization',
  'page_view',
  'dom_ready',
  'window_loaded',
];
const AFTER_LOAD = STAGES.length;
const NEVER: TagRun = { state: 'inert', confidence: 'certain', stage: AFTER_LOAD + 1 };

/**
 * Returns the circumstances in which each tag runs on a page, by tag number. A tag with a page load trigger runs if the
 * page URL meets the trigger's conditions, and might run if a condition depends on anything other than the page URL. A
 * tag with any other trigger runs later, if a visitor or code triggers the event. A tag without a trigger runs only as
 * another tag's setup or cleanup tag. A paused tag never runs.
 */
export function tagRuns(tags: readonly ContainerTag[], page: PageUrl): Map<number, TagRun> {
  const runs = new Map<number, TagRun>();
  for (const tag of tags) runs.set(tag.number, tag.paused ? NEVER : ownRun(tag, page));
  // A setup or cleanup tag runs with the tag that references it. The tag that names it can itself be a setup tag. Real
  // chains are short.
  for (let round = 0; round < 3; round++)
    for (const tag of tags) {
      if (tag.paused || tag.sequencedBy.length === 0) continue;
      const others = tag.sequencedBy.map(number => runs.get(number) ?? NEVER);
      runs.set(tag.number, [runs.get(tag.number)!, ...others].reduce(earlier));
    }
  for (const tag of tags) {
    const run = runs.get(tag.number)!;
    const isGated = (tag.consent?.length ?? 0) > 0 && run.state !== 'inert';
    if (isGated) runs.set(tag.number, { ...run, state: 'gated' });
  }
  return runs;
}

/** Returns when a tag inside a container runs, based on the container's state and the tag's own state. */
export function stateInside(container: State, inside: State): State {
  if (inside === 'inert' || container === 'run') return inside;
  if (container === 'inert' || container === 'config' || container === 'never_runs') return container;
  return inside === 'gated' ? 'gated' : container;
}

const rank = ({ state, confidence }: TagRun): number =>
  (state === 'run' ? 4 : state === 'later' ? 2 : 0) + (confidence === 'certain' ? 1 : 0);
const earlier = (a: TagRun, b: TagRun): TagRun =>
  rank(b) > rank(a) || (rank(b) === rank(a) && b.stage < a.stage) ? b : a;

function ownRun({ triggers, exceptions }: ContainerTag, page: PageUrl): TagRun {
  return triggers.map(trigger => runOf(trigger, exceptions, page)).reduce(earlier, NEVER);
}

function runOf(trigger: ContainerTrigger, exceptions: readonly ContainerTrigger[], page: PageUrl): TagRun {
  const met = allHold(trigger.conditions, page);
  if (met === false) return NEVER;
  const blocked = exceptions.filter(exception => canBlock(exception, trigger)).map(e => allHold(e.conditions, page));
  if (blocked.includes(true)) return NEVER;
  const stage = STAGES.indexOf(trigger.kind);
  if (stage < 0 && trigger.kind !== 'any_event') return { state: 'later', confidence: 'possible', stage: AFTER_LOAD };
  const isCertain = met === true && blocked.every(holds => holds === false);
  return { state: 'run', confidence: isCertain ? 'certain' : 'possible', stage: Math.max(stage, 0) };
}

/**
 * Returns whether an exception applies to the event that fires a trigger. An exception's event name can be a pattern.
 */
const canBlock = (exception: ContainerTrigger, trigger: ContainerTrigger): boolean =>
  exception.event === null ||
  exception.event === trigger.event ||
  (exception.kind === 'custom_event' && /[.*+?|^$\\[(]/.test(exception.event));

/** Returns whether the page meets all conditions, or `null` if that depends on anything other than the page URL. */
function allHold(conditions: readonly TriggerCondition[], page: PageUrl): boolean | null {
  const results = conditions.map(condition => holds(condition, page));
  if (results.includes(false)) return false;
  return results.includes(null) ? null : true;
}

function holds({ page: compared, negated }: TriggerCondition, page: PageUrl): boolean | null {
  if (!compared) return null;
  const actual = page[compared.part];
  const { operator, value } = compared;
  const matches =
    operator === 'equals'
      ? actual === value
      : operator === 'contains'
        ? actual.includes(value)
        : operator === 'starts with'
          ? actual.startsWith(value)
          : actual.endsWith(value);
  return matches !== negated;
}
