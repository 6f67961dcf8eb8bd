import type { TagObservation } from '../model/observation.ts';
import type { TextEdit } from './file-edit.ts';
import type { Fix } from './fix.ts';
import { deleteCall } from './remove-tag.ts';
import { callAt, isTagStatement } from './tag-statements.ts';
import type { InlineScript, LocatedObservation, ThemeCode } from './theme-code.ts';

/** A tag's global variables, and the observations that count as copies of the tag. */
interface Duplicate {
  readonly globals: readonly string[];
  readonly isCounted: (observation: TagObservation, id: string) => boolean;
  /** Whether the observation can be deleted together with a counted observation in the same script. */
  readonly isBaseCode: (observation: TagObservation) => boolean;
}

const META: Duplicate = {
  globals: ['fbq', '_fbq'],
  isCounted: (o, id) => o.kind === 'init' && o.api === 'fbq' && o.id.value === id,
  isBaseCode: o =>
    (o.kind === 'loader' && o.library === 'fbevents') ||
    (o.kind === 'event' && o.vendor === 'meta' && o.method === 'track' && o.name === 'PageView'),
};

const GOOGLE_TAG: Duplicate = {
  globals: ['gtag', 'dataLayer'],
  isCounted: (o, id) => o.kind === 'init' && o.api === 'gtag' && o.id.value === id,
  isBaseCode: o => o.kind === 'layer' && o.action === 'push',
};

const TAG_MANAGER: Duplicate = {
  globals: ['dataLayer'],
  isCounted: (o, id) => o.kind === 'loader' && o.library === 'gtm' && o.id === id,
  isBaseCode: o => o.kind === 'layer' && o.action === 'push',
};

const DUPLICATES = {
  meta_pixel_duplicate_init: META,
  google_tag_duplicate_config: GOOGLE_TAG,
  gtm_duplicate_container: TAG_MANAGER,
} as const;

/**
 * Keeps the first copy of a tag and deletes the others. Deletes a whole script if it contains only the tag's base code;
 * otherwise, deletes only the duplicate calls. The first copy must run whenever any other copy runs.
 */
export const removeDuplicate =
  (name: keyof typeof DUPLICATES): Fix =>
  (code, { ids: [id] }) => {
    const { globals, isCounted, isBaseCode } = DUPLICATES[name];
    if (id === undefined) return 'unclear';
    const [kept, ...others] = code.observations.filter(({ observation }) => isCounted(observation, id));
    if (!kept || others.length === 0) return 'other_file';
    if (!isUnconditional(code, kept)) return 'needs_decision';
    const edits: TextEdit[] = [];
    const deleted = new Set<InlineScript>();
    for (const other of others) {
      if (!code.isPrintedWith(kept.offset, other.offset)) return 'needs_decision';
      const script = scriptAt(code, other.offset);
      if (!script || other.observation.state !== 'run') return 'unclear';
      if (deleted.has(script)) continue;
      if (!hasSameArguments(code, kept, other)) return 'needs_decision';
      const owns = (o: TagObservation) => isCounted(o, id) || isBaseCode(o);
      const range = code.wholeElement(script.element);
      const isBase = script.statements.every(statement =>
        isTagStatement(code, statement, { globals: new Set(globals), owns }),
      );
      if (range && isBase && script !== scriptAt(code, kept.offset) && repeats(code, kept, script)) {
        const edit = code.deletion(range);
        if (!edit) return 'liquid';
        deleted.add(script);
        edits.push(edit);
        continue;
      }
      const edit = deleteCall(code, other.offset, new Set(globals));
      if (typeof edit === 'string') return edit;
      edits.push(edit);
    }
    return { edits };
  };

const scriptAt = (code: ThemeCode, offset: number): InlineScript | undefined =>
  code.scripts.find(({ base, element }) => base <= offset && offset < base + element.text.length);

/** Returns whether the browser runs the observed code on every page that contains it. */
const isUnconditional = (code: ThemeCode, { observation, offset }: LocatedObservation): boolean =>
  observation.state === 'run' &&
  observation.branches.length === 0 &&
  observation.guards.length === 0 &&
  scriptAt(code, offset)?.element !== undefined;

/** Returns whether the script with the kept copy contains all observations found in another script. */
function repeats(code: ThemeCode, kept: LocatedObservation, script: InlineScript): boolean {
  const first = scriptAt(code, kept.offset);
  if (!first) return false;
  const keysIn = ({ base, element }: InlineScript) =>
    code.observationsIn({ from: base, to: base + element.text.length }).map(keyOf);
  const known = new Set(keysIn(first));
  return keysIn(script).every(key => known.has(key));
}

/** Returns a key that's identical for copies of the same code. */
function keyOf(observation: TagObservation): string {
  const { where: _, order: _order, position: _position, snippet: _snippet, branches: _branches, ...rest } = observation;
  return JSON.stringify(rest, (_key, value: unknown) => (value instanceof Map ? [...value] : value));
}

/** Returns whether two calls have the same arguments, ignoring whitespace and the style of quotation marks. */
function hasSameArguments(code: ThemeCode, a: LocatedObservation, b: LocatedObservation): boolean {
  const [first, second] = [callAt(code, a.offset), callAt(code, b.offset)];
  // A container's base code doesn't call a tag function, so compare the whole scripts.
  const [one, other] = first && second ? [first, second] : [scriptRange(code, a), scriptRange(code, b)];
  if (first && second && [first, second].every(({ node }) => node.arguments.length === 2))
    return keyOf(a.observation) === keyOf(b.observation);
  return one !== null && other !== null && normalized(code, one) === normalized(code, other);
}

function scriptRange(code: ThemeCode, { offset }: LocatedObservation) {
  const script = scriptAt(code, offset);
  return script ? { from: script.base, to: script.base + script.element.text.length } : null;
}

const normalized = ({ masked }: ThemeCode, { from, to }: { readonly from: number; readonly to: number }): string =>
  masked.slice(from, to).replace(/\s+/g, '').replaceAll('"', "'");
