import { VENDOR_NAMES } from '@compliance/core/pixel';
import type { Shop, ShopRecord, StoredRendering } from '@compliance/store/shop';
import {
  RENDER,
  type RenderingAvailability,
  type RenderingDetail,
  type TrafficProblem,
  wantsRendering,
} from '../scan/model/rendering.ts';

/** Maximum age of a browser check before it becomes outdated, in milliseconds. Checks run every night. */
const OUTDATED_MS = 3 * 86_400_000;

/**
 * A check that opened the storefront, with vendor names instead of IDs. Times are in milliseconds since the Unix epoch.
 */
export interface SeenCheck extends Omit<RenderingDetail, 'traffic' | 'sent'> {
  readonly at: number;
  readonly isPartial: boolean;
  readonly score: number | null;
  readonly traffic: readonly (Omit<TrafficProblem, 'vendor'> & { readonly vendor: string })[];
  readonly sent:
    | readonly (Omit<NonNullable<RenderingDetail['sent']>[number], 'vendor'> & { readonly vendor: string })[]
    | null;
}

/** Content of the browser check page. */
export interface BrowserCheckView {
  readonly timeZone: string;
  /** Whether the merchant has turned on browser checks. */
  readonly on: boolean;
  readonly availability: RenderingAvailability;
  /** Whether a check is running or due. */
  readonly checking: boolean;
  /** The newest check if it couldn't open the storefront, or null. */
  readonly unseen: { readonly at: number; readonly reason: string | null } | null;
  /** The newest check that opened the storefront, or null. */
  readonly seen: SeenCheck | null;
}

/**
 * Returns the browser check page content, using only stored data.
 *
 * @param now current time, in milliseconds since the Unix epoch
 * @example (await browserCheckOf(merchant.shop, app.rendering, Date.now())).seen?.verdicts.refuted // 2
 */
export async function browserCheckOf(
  shop: Shop,
  availability: RenderingAvailability,
  now: number,
): Promise<BrowserCheckView> {
  const [record, job, { unseen, seen }] = await Promise.all([
    shop.record(),
    shop.jobs.latest(RENDER),
    latestCheckOf(shop),
  ]);
  return {
    ...{ timeZone: record?.timeZone ?? 'UTC', on: wantsRendering(record), availability, unseen, seen },
    checking: job !== null && (job.state === 'running' || (job.state === 'queued' && job.runAt <= now)),
  };
}

/**
 * Returns the newest check that opened the storefront. If the newest check of all couldn't open it, returns that check,
 * too.
 */
export async function latestCheckOf(shop: Shop): Promise<Pick<BrowserCheckView, 'unseen' | 'seen'>> {
  const [latest, seen] = await Promise.all([shop.renderings.latest(), shop.renderings.latestSeen()]);
  return {
    unseen: latest?.state === 'unseen' ? { at: latest.finishedAt, reason: latest.reason } : null,
    seen: seen && toSeenCheck(seen),
  };
}

/**
 * Returns whether problems in the storefront's traffic are unknown even though browser checks are on. Problems are
 * unknown if the latest check couldn't open the storefront or if no recent check has opened it.
 *
 * @param now current time, in milliseconds since the Unix epoch
 */
export const isUnseen = (
  record: ShopRecord | null,
  { unseen, seen }: Pick<BrowserCheckView, 'unseen' | 'seen'>,
  now: number,
): boolean => wantsRendering(record) && (unseen !== null || seen === null || now - seen.at > OUTDATED_MS);

function toSeenCheck({ finishedAt, state, score, detail }: StoredRendering): SeenCheck {
  const { traffic, sent, ...rest } = detail as RenderingDetail;
  const named = <Item extends { readonly vendor: TrafficProblem['vendor'] }>(item: Item) => ({
    ...item,
    vendor: VENDOR_NAMES[item.vendor],
  });
  return {
    ...{ ...rest, at: finishedAt, isPartial: state === 'partial', score },
    traffic: traffic.map(named),
    sent: sent?.map(named) ?? null,
  };
}
