import type { Inventory, Tag } from '../model/inventory.ts';
import { groupBy } from '../model/queries.ts';
import type { RecordedBeacon, RenderedPage } from './rendered-page.ts';
import { isComplete } from './sent-events.ts';

/** A tag whose events have an unexpected ID. */
export interface IdDrift {
  /** An event with the unexpected ID. */
  readonly beacon: RecordedBeacon;
  /** The expected ID: the ID in the page's code, or the ID that the tag sent in another phase or step. */
  readonly expected: string;
  /** The event with the expected ID, or `null` if the browser sent no event with that ID. */
  readonly other: RecordedBeacon | null;
}

/** Normalizes an ID for comparison. IDs can differ in case, and old code can omit the prefix of Google Ads IDs. */
const comparable = (id: string): string => id.toUpperCase().replace(/^AW-/, '');

/** Returns the inventory kind of the tag that sent a beacon. */
const kindOf = ({ product, vendor }: RecordedBeacon): string => (product === 'ad_pixel' ? `${vendor}_pixel` : product);

/** Returns whether a page's code contains a beacon's ID. A beacon without an ID is always known. */
function isKnownTag({ vendor, id }: RecordedBeacon, { tags }: Pick<Inventory, 'tags'>): boolean {
  return (
    id === null || tags.some(tag => tag.vendor === vendor && tag.id !== null && comparable(tag.id) === comparable(id))
  );
}

/**
 * Returns one beacon for each ID that the scanned page's code doesn't contain. The scan read only the rendered page
 * itself, so IDs that only other pages of the journey use aren't included.
 */
export function unknownTags({ beacons }: RenderedPage, inventory: Inventory): RecordedBeacon[] {
  const unknown = beacons.filter(beacon => !isKnownTag(beacon, inventory));
  return firstOfEachId(inventory.complete ? unknown.filter(({ step }) => step === 'page') : []);
}

/**
 * Returns one beacon for each unknown ID that only the journey's other pages use. The code of those pages wasn't
 * scanned.
 */
export function unscannedTags({ beacons }: RenderedPage, inventory: Inventory): RecordedBeacon[] {
  const onPage = new Set(beacons.filter(({ step }) => step === 'page').map(keyOf));
  return firstOfEachId(beacons.filter(beacon => !isKnownTag(beacon, inventory) && !onPage.has(keyOf(beacon))));
}

/**
 * Finds tags whose events have an unexpected ID: either no event has the ID from the page's code, or the page views
 * have different IDs in different phases or steps.
 */
export function idDrift(page: RenderedPage, inventory: Inventory): IdDrift[] {
  return [...replacedIds(page, inventory), ...changedIds(page)];
}

/** Channels whose tags the browser runs even if the page is a saved copy. */
const RUNS_IN_PAGE: ReadonlySet<Tag['channel']> = new Set(['theme', 'gtm']);

function replacedIds(page: RenderedPage, inventory: Inventory): IdDrift[] {
  // Unless the events after acceptance were recorded, a tag that sends nothing might be waiting for consent.
  if (!isComplete(page, 'accept', 'page')) return [];
  return unknownTags(page, inventory).flatMap(beacon => {
    const own = inventory.tags.filter(tag => tag.vendor === beacon.vendor && tag.kind === kindOf(beacon));
    const isSilent = ({ id }: Tag) =>
      !page.beacons.some(sent => sent.id !== null && comparable(sent.id) === comparable(id!));
    const isExpected = own.every(tag => tag.id !== null && RUNS_IN_PAGE.has(tag.channel) && tag.state !== 'never_runs');
    const [expected] = own;
    return expected && isExpected && own.every(isSilent) ? [{ beacon, expected: expected.id!, other: null }] : [];
  });
}

/** Page view event names, in lowercase and without separators. */
const PAGE_VIEWS: ReadonlySet<string> = new Set(['pageview', 'pagevisit', 'pageload']);

const isPageView = ({ event, id }: RecordedBeacon): boolean =>
  id !== null && event !== null && PAGE_VIEWS.has(event.toLowerCase().replaceAll(/[ _-]/g, ''));

function changedIds({ beacons, phases }: RenderedPage): IdDrift[] {
  const products = groupBy(beacons.filter(isPageView), each => `${each.vendor} ${each.product}`);
  return [...products.values()].flatMap(sent => {
    const steps = phases
      .filter(({ complete }) => complete)
      .map(at => sent.filter(({ phase, step }) => phase === at.phase && step === at.step))
      .filter(({ length }) => length > 0);
    for (const [index, views] of steps.entries())
      for (const before of steps.slice(0, index))
        if (!views.some(({ id }) => before.some(each => each.id === id)))
          return [{ beacon: views[0]!, expected: before[0]!.id!, other: before[0]! }];
    return [];
  });
}

const keyOf = ({ vendor, id }: RecordedBeacon): string => `${vendor} ${id}`;

const firstOfEachId = (beacons: readonly RecordedBeacon[]): RecordedBeacon[] =>
  [...new Map(beacons.toReversed().map(beacon => [keyOf(beacon), beacon])).values()].reverse();
