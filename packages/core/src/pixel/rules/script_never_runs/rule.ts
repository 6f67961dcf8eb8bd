import { type MessageTerm, term } from '../../model/message.ts';
import type { TagObservation, Vendor } from '../../model/observation.ts';
import type { InvalidScript } from '../../model/page-observations.ts';
import { isPresent } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';

const VENDORS: Partial<Record<Vendor, string>> = {
  ...{
    meta: 'Meta',
    google: 'Google',
    gtm: 'Tag Manager',
    tiktok: 'TikTok',
    pinterest: 'Pinterest',
    klaviyo: 'Klaviyo',
  },
  ...{ snapchat: 'Snapchat', microsoft: 'Microsoft', x: 'X', reddit: 'Reddit', linkedin: 'LinkedIn', hotjar: 'Hotjar' },
};

/** Maximum number of events named in a message. */
const MAX_EVENTS = 3;

export default defineRule({
  meta: {
    id: 'script_never_runs',
    title: 'Tracking code with a syntax error',
    severity: 'error',
    since: null,
    owner: 'theme',
    what: 'A script with tracking code has a syntax error. Browsers reject the whole script, so none of its tags run. The finding is a note if another script on the page runs the same tags.',
    why: 'Unless the page also has a working copy of the script, the page views and events that the script would send are lost, even though the code in the theme looks complete.',
    fix: "Correct the syntax error at the reported location, or replace the script with a fresh copy of the vendor's code.",
    messages: {
      one: '{parts} never runs because of a syntax error in {source}, line {line}, column {column}.',
      several: '{parts} never run because of a syntax error in {source}, line {line}, column {column}.',
      working_copy:
        'A copy of {parts} never runs because of a syntax error in {source}, line {line}, column {column}, but the page also has a working copy.',
    },
    sources: ['https://tc39.es/ecma262/#sec-early-errors'],
  },
  check(page, report) {
    const lost = page.observations.filter(o => o.state === 'never_runs');
    const running = new Set(page.observations.filter(o => isPresent(o) && o.state !== 'never_runs').flatMap(keysOf));
    const runningVendors = new Set([...running].map(key => key.split(' ', 1)[0]));
    for (const script of page.facts.invalidScripts) {
      const own = lost.filter(o => isIn(o, script) && keysOf(o).length > 0);
      const [at] = own;
      if (!at) continue;
      const missing = own.filter(o => keysOf(o).some(key => !running.has(key)));
      // Without the base code, the vendor's events in other scripts are lost, too.
      const vendors = new Set(
        missing.flatMap(o => (vendorOf(o) && !runningVendors.has(vendorOf(o)!) ? [vendorOf(o)] : [])),
      );
      const dependent = lost.filter(o => o.kind === 'event' && !isIn(o, script) && vendors.has(o.vendor));
      const parts = describe(missing.length > 0 ? [...missing, ...dependent] : own);
      const { line, column, source } = script.error;
      const isLost = missing.length > 0;
      report({
        at,
        where: script.error,
        message: isLost ? (parts.length > 1 ? 'several' : 'one') : 'working_copy',
        values: { parts: { and: parts }, source, line, column },
        ids: own.flatMap(o => idOf(o) ?? []),
        confidence: script.uncertain ? 'possible' : 'certain',
        ...(isLost ? {} : { severity: 'info', variant: 'working_copy' }),
      });
    }
  },
});

const isIn = ({ where }: TagObservation, script: InvalidScript): boolean =>
  where.source === script.source && where.url === script.url;

const vendorOf = (observation: TagObservation): Vendor | null =>
  observation.kind === 'init' || observation.kind === 'event' || observation.kind === 'loader'
    ? observation.vendor
    : null;

const idOf = (observation: TagObservation): string | null =>
  observation.kind === 'init' ? observation.id.value : observation.kind === 'loader' ? observation.id : null;

/** Returns a one-element array with the key of the observed tag or event, or an empty array for other observations. */
function keysOf(observation: TagObservation): string[] {
  const { kind } = observation;
  if (kind === 'event') return [`${observation.vendor} event ${observation.name}`];
  if (kind !== 'init' && kind !== 'loader') return [];
  // The Google tag library sends nothing until a call configures an ID.
  if (kind === 'loader' && observation.library === 'gtag') return [];
  const id = idOf(observation);
  return id === null && kind === 'loader' ? [`${observation.vendor} loader`] : [`${observation.vendor} ${id}`];
}

/** Lists tags and events as message parts, such as `Meta base code (157204581336210)`, `PageView`, and `Purchase`. */
function describe(lost: readonly TagObservation[]): (string | MessageTerm)[] {
  const ids = new Map<string | null, Set<string>>();
  for (const observation of lost) {
    if (observation.kind !== 'init' && observation.kind !== 'loader') continue;
    const name = VENDORS[observation.vendor] ?? null;
    if (!ids.has(name)) ids.set(name, new Set());
    const id = idOf(observation);
    if (id !== null) ids.get(name)!.add(id);
  }
  const tags = [...ids].map(([name, known]) => {
    const vendor = name ?? term('other');
    return known.size > 0 ? term('base_code_with_ids', { vendor, ids: [...known] }) : term('base_code', { vendor });
  });
  const events = [...new Set(lost.flatMap(o => (o.kind === 'event' ? [o.name] : [])))];
  const named = events.slice(0, MAX_EVENTS).map(name => name ?? term('unnamed_event'));
  const more = events.length - named.length;
  const rest = more === 0 ? [] : [more === 1 ? term('one_more_event') : term('more_events', { count: more })];
  return [...tags, ...named, ...rest];
}
