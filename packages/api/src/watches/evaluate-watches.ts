import { setImmediate } from 'node:timers/promises';
import {
  type CompareCodes,
  DATASET,
  type Dataset,
  type DatasetName,
  easternDate,
  prepareChangesInEffect,
  prepareDatasetComparison,
  type WatchChange,
  type WatchedCode,
} from '@compliance/core/tariff';
import { loadDataset } from '@compliance/core/tariff/dataset';
import type { DueWatch, Store } from '@compliance/store';
import { watchDataset } from './watch-dataset.ts';

/** A watch event, as stored and sent. An event has up to 50 changes. */
export interface WatchEventBody {
  /**
   * `data_set` if a new data set changed results for the current date or a later date. `effective_date` if a change
   * that was already in the data set took effect.
   */
  reason: 'data_set' | 'effective_date';
  /** The evaluation date, in US Eastern time. */
  evaluated_on: string;
  before: NamedDataset;
  after: NamedDataset;
  changes: WatchChange[];
}

type NamedDataset = Pick<DatasetName, 'version' | 'known_through' | 'sha256'>;

/** Watch evaluation dependencies. */
export interface EvaluationDeps {
  store: Pick<Store, 'watches'>;
  /** Returns milliseconds since the Unix epoch. */
  clock: () => number;
  /** Returns the data set in use. */
  dataset: () => Dataset;
}

/** Maximum number of changes in an event. The limit keeps events small. */
const CHANGES_PER_EVENT = 50;

/**
 * Lease duration, in milliseconds. If this process stops, another process can evaluate the watch after the lease
 * expires.
 */
const LEASE_MS = 60_000;

/**
 * Evaluates every watch that is due, and stores its events. Several processes can call this function at the same time.
 * Each watch is evaluated by only one of them, and the watch's events are stored once.
 *
 * For each watch, the function first finds the changes that took effect since the watch's last evaluation, according to
 * the data set used for that evaluation. If a different data set is now in use, the function then compares the two data
 * sets. Codes are evaluated in batches so that the process can serve requests between batches.
 *
 * @returns the number of evaluated watches
 * @example await evaluateWatches({ store, clock: Date.now, dataset: () => DATASET }) // 1
 */
export async function evaluateWatches({ store, clock, dataset: currentDataset }: EvaluationDeps): Promise<number> {
  for (let evaluated = 0; ; ) {
    const dataset = currentDataset();
    const today = easternDate(clock());
    const due = await store.watches.claimEvaluation(watchDataset(dataset), today, LEASE_MS);
    if (!due) return evaluated;
    const events = await eventsOf(due, dataset, today);
    if (events && (await due.finish(events.map(event => JSON.stringify(event))))) evaluated++;
  }
}

/** Returns a watch's events, or null if the lease was lost. */
async function eventsOf(due: DueWatch, after: Dataset, today: string): Promise<WatchEventBody[] | null> {
  const before = await previousDataset(due, after);
  const steps: { reason: WatchEventBody['reason']; from: Dataset; to: Dataset; compare: CompareCodes }[] = [];
  if (due.evaluatedOn < today) {
    const compare = prepareChangesInEffect({ dataset: before, after: due.evaluatedOn, through: today });
    steps.push({ reason: 'effective_date', from: before, to: before, compare });
  }
  if (before.sha256 !== after.sha256) {
    const compare = prepareDatasetComparison({ before, after, asOf: today });
    steps.push({ reason: 'data_set', from: before, to: after, compare });
  }
  const found = steps.map(() => [] as WatchChange[]);
  for await (const codes of due.codes()) {
    for (const [index, { compare }] of steps.entries()) {
      for (const change of compare(codes as WatchedCode[]).changes) found[index]!.push(change);
    }
    if (!(await due.extend())) return null;
    await setImmediate();
  }
  return steps.flatMap(({ reason, from, to }, index) =>
    inParts(found[index]!).map(changes => ({
      reason,
      evaluated_on: today,
      before: nameOf(from),
      after: nameOf(to),
      changes,
    })),
  );
}

/** Returns the data set from the last evaluation. The data set is usually still in memory. */
async function previousDataset(due: DueWatch, current: Dataset): Promise<Dataset> {
  const known = [current, DATASET].find(({ sha256 }) => sha256 === due.datasetSha256);
  return known ?? loadDataset(await due.previousDataset());
}

function nameOf({ version, known_through, sha256 }: Dataset): NamedDataset {
  return { version, known_through, sha256 };
}

function inParts(changes: readonly WatchChange[]): WatchChange[][] {
  return Array.from({ length: Math.ceil(changes.length / CHANGES_PER_EVENT) }, (_, part) =>
    changes.slice(part * CHANGES_PER_EVENT, (part + 1) * CHANGES_PER_EVENT),
  );
}
