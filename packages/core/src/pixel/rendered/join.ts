import { checkEvent } from '../event-contracts/check-event.ts';
import { type EventContract, ga4Contract, metaContract } from '../event-contracts/contracts.ts';
import type { Finding } from '../model/finding.ts';
import { VENDOR_NAMES, type Vendor } from '../model/vendor.ts';
import type { ScanResult } from '../scan/scan.ts';
import type { Phase, RecordedBeacon, RenderedPage } from './rendered-page.ts';

/**
 * A rendering's verdict on a finding: the traffic shows the problem (`confirmed`), the traffic shows the opposite
 * (`refuted`), or the traffic shows neither (`unseen`).
 */
export type RenderingVerdict = 'confirmed' | 'refuted' | 'unseen';

/** A finding with the rendering's verdict on it. */
export interface JoinedFinding {
  readonly rule_id: string;
  readonly ids: readonly string[];
  readonly verdict: RenderingVerdict;
  /** The reason, as a sentence. */
  readonly evidence: string;
}

/** A problem that only the traffic shows. */
export interface TrafficFinding {
  readonly code: 'sent_after_denial' | 'sent_before_choice' | 'unknown_tag' | 'duplicate_event' | 'invalid_event_data';
  readonly vendor: Vendor;
  readonly id: string | null;
  readonly message: string;
}

/** A static scan and a rendering of the same page. */
export interface JoinedScan {
  readonly findings: readonly JoinedFinding[];
  readonly traffic: readonly TrafficFinding[];
}

const CONSENT_RULES = new Set([
  'shopify_consent_bypass',
  'ad_pixel_without_consent',
  'meta_pixel_consent_order',
  'gtm_tag_without_consent',
]);
const DUPLICATE_RULES = new Set(['meta_pixel_duplicate_init', 'ad_pixel_duplicate', 'google_tag_duplicate_config']);
const SILENT_RULES = new Set([
  'google_tag_never_configured',
  'meta_pixel_track_without_init',
  'ad_pixel_missing_base_code',
]);
const UNIVERSAL_RULES = new Set(['ga_universal_id', 'ga_analytics_js_legacy', 'gtm_universal_analytics_tag']);
const CONTENT_RULES = new Map<string, EventContract>([
  ['meta_pixel_invalid_event_data', metaContract],
  ['ga4_invalid_event_data', ga4Contract],
]);

/**
 * Compares the findings of a static scan with the beacons of a rendering. A missing beacon refutes a finding only if the
 * phase was recorded completely and the same tag sent a beacon in another phase. Otherwise, the finding is unseen,
 * because a missing beacon alone doesn't prove that the tag has no problem.
 *
 * @example joinRendering(scan(capture, { asOf }), rendering).findings[0]?.verdict // 'confirmed'
 */
export function joinRendering({ findings, inventory }: ScanResult, page: RenderedPage): JoinedScan {
  const joined = findings.map(finding => ({
    ...{ rule_id: finding.rule_id, ids: finding.ids },
    ...judge(finding, page),
  }));
  const known = new Set(inventory.tags.map(tag => `${tag.vendor} ${tag.id}`));
  return { findings: joined, traffic: trafficFindings(page, known) };
}

type Judgment = Pick<JoinedFinding, 'verdict' | 'evidence'>;

const unseen = (evidence: string): Judgment => ({ verdict: 'unseen', evidence });

function judge(finding: Finding, page: RenderedPage): Judgment {
  const { rule_id } = finding;
  const beacons = page.beacons.filter(beacon => concerns(finding, beacon));
  if (CONSENT_RULES.has(rule_id)) return judgeConsent(finding, beacons, page);
  if (DUPLICATE_RULES.has(rule_id)) return judgeDuplicate(finding, beacons);
  if (SILENT_RULES.has(rule_id))
    return beacons.length > 0
      ? { verdict: 'refuted', evidence: `The browser sent ${named(beacons[0]!)}.` }
      : unseen('The browser didn’t send an event for this tag, but that alone doesn’t confirm the problem.');
  if (UNIVERSAL_RULES.has(rule_id)) {
    const old = beacons.find(({ product }) => product === 'universal_analytics');
    return old
      ? { verdict: 'confirmed', evidence: `The browser sent ${named(old)} to Universal Analytics.` }
      : unseen('The browser sent nothing to Universal Analytics.');
  }
  const contract = CONTENT_RULES.get(rule_id);
  if (contract) return judgeContent(beacons, contract);
  return unseen('Traffic can’t show this problem.');
}

/**
 * Returns whether a beacon belongs to a tag that a finding is about. If the finding has no IDs, its rule determines the
 * vendors that it's about.
 */
function concerns({ ids, rule_id }: Finding, { vendor, id, event }: RecordedBeacon): boolean {
  if (ids.length > 0) return ids.some(each => each === id || each === event) || (id === null && ids.includes(vendor));
  if (rule_id.startsWith('meta_')) return vendor === 'meta';
  if (/^(?:ga|google|gtm)/.test(rule_id)) return vendor === 'google';
  return /^(?:ad_pixel|shopify_consent)/.test(rule_id);
}

/** Returns whether the browser sent a beacon for every tag that a finding names. */
const coversAll = ({ ids }: Finding, beacons: readonly RecordedBeacon[]): boolean =>
  beacons.length > 0 && ids.every(id => beacons.some(beacon => beacon.id === id));

/** Returns whether a beacon was sent before the visitor accepted tracking, and doesn't state that consent is denied. */
const ignoresChoice = ({ phase, consent }: RecordedBeacon): boolean =>
  phase !== 'accept' && consent.purposes.ad_storage !== 'denied' && consent.purposes.analytics_storage !== 'denied';

/** Returns whether the visitor's refusal was recorded. Otherwise, the `deny` phase is a page view without a choice. */
const isDeclined = ({ phases }: Pick<RenderedPage, 'phases'>): boolean =>
  phases.some(({ phase, decision }) => phase === 'deny' && decision !== 'none');

function judgeConsent(finding: Finding, beacons: readonly RecordedBeacon[], page: RenderedPage): Judgment {
  const ignored = beacons.filter(beacon => ignoresChoice(beacon) && (beacon.phase === 'load' || isDeclined(page)));
  const early = ignored.find(({ phase }) => phase === 'deny') ?? ignored[0];
  if (early) return { verdict: 'confirmed', evidence: `The browser sent ${named(early)} ${WHEN[early.phase]}.` };
  const isComplete = (phase: Phase) =>
    page.phases.some(each => each.phase === phase && each.complete && each.decision !== 'none');
  const accepted = beacons.filter(({ phase }) => phase === 'accept');
  return coversAll(finding, accepted) && isComplete('load') && isComplete('deny')
    ? {
        verdict: 'refuted',
        evidence: `The browser sent ${named(accepted[0]!)} only after the visitor accepted tracking.`,
      }
    : unseen('The recording doesn’t show whether this tag waits for consent.');
}

function judgeDuplicate(finding: Finding, beacons: readonly RecordedBeacon[]): Judgment {
  const repeated = repeatedEvents(beacons)[0];
  if (repeated)
    return { verdict: 'confirmed', evidence: `The browser sent ${named(repeated)} more than once per page view.` };
  return coversAll(finding, beacons)
    ? { verdict: 'refuted', evidence: `The browser sent ${named(beacons[0]!)} once per page view.` }
    : unseen('The browser didn’t send an event for every tag in this finding.');
}

function judgeContent(beacons: readonly RecordedBeacon[], contract: EventContract): Judgment {
  const checked = beacons.filter(({ event }) => event !== null && Object.hasOwn(contract.events, event));
  const wrong = checked.find(({ event, parameters }) => checkEvent(contract, event!, parameters).length > 0);
  if (wrong) return { verdict: 'confirmed', evidence: `The browser sent ${named(wrong)} with invalid data.` };
  return unseen('The browser didn’t send an event with invalid data during the recording.');
}

const WHEN: Readonly<Record<Phase, string>> = {
  load: 'before the visitor made a choice',
  deny: 'after the visitor declined tracking',
  accept: 'after the visitor accepted tracking',
};

const named = ({ vendor, event, id }: RecordedBeacon): string =>
  `${event === null ? 'an event' : `the ${event} event`} for ${VENDOR_NAMES[vendor]}${id === null ? '' : ` ID ${id}`}`;

/** Returns each event that the browser sent again in the same page view without the same event ID. */
function repeatedEvents(beacons: readonly RecordedBeacon[]): RecordedBeacon[] {
  return beacons.filter((beacon, index) =>
    beacons.slice(0, index).some(
      before =>
        before.view === beacon.view &&
        before.product === beacon.product &&
        before.vendor === beacon.vendor &&
        before.id === beacon.id &&
        before.event === beacon.event &&
        (before.event_id === null || before.event_id !== beacon.event_id) &&
        // X sends each event to two hosts, and Google Ads sends each event to several paths.
        beacon.vendor !== 'x' &&
        beacon.product !== 'google_ads',
    ),
  );
}

function trafficFindings({ beacons, phases }: RenderedPage, known: ReadonlySet<string>): TrafficFinding[] {
  const found = new Map<string, TrafficFinding>();
  const add = (code: TrafficFinding['code'], beacon: RecordedBeacon, message: string): void => {
    const key = `${code} ${beacon.vendor} ${beacon.id}`;
    if (!found.has(key)) found.set(key, { code, vendor: beacon.vendor, id: beacon.id, message });
  };
  const declined = isDeclined({ phases });
  for (const beacon of beacons) {
    if (ignoresChoice(beacon) && (beacon.phase === 'load' || declined))
      add(
        beacon.phase === 'deny' ? 'sent_after_denial' : 'sent_before_choice',
        beacon,
        `The browser sent ${named(beacon)} ${WHEN[beacon.phase]}.`,
      );
    if (beacon.id !== null && !known.has(`${beacon.vendor} ${beacon.id}`))
      add('unknown_tag', beacon, `The browser sent ${named(beacon)}, but the page’s code doesn’t contain this ID.`);
    const contract = beacon.vendor === 'meta' ? metaContract : beacon.product === 'ga4' ? ga4Contract : null;
    if (contract && beacon.event !== null && checkEvent(contract, beacon.event, beacon.parameters).length > 0)
      add('invalid_event_data', beacon, `The browser sent ${named(beacon)} with missing or invalid data.`);
  }
  for (const beacon of repeatedEvents(beacons))
    add('duplicate_event', beacon, `The browser sent ${named(beacon)} more than once per page view.`);
  return [...found.values()];
}
