import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DATASET, type Dataset } from '@compliance/core/tariff';
import { loadDataset } from '@compliance/core/tariff/dataset';
import { compareVersions, readInstalled } from './installed-lists.ts';

/** State of a process's lists. */
export interface ListsStatus {
  /** `bundled` if the data set is part of the release, or `installed` if an update installed it. */
  readonly origin: 'bundled' | 'installed';
  readonly version: string;
  readonly known_through: string;
  readonly sha256: string;
  /** Time of the last successful update in ISO 8601 format, or null. */
  readonly updated_at: string | null;
  /** Reason that the installed data set can't be used, or null. The process keeps using the last good data set. */
  readonly problem: string | null;
}

/** Source of a process's current data set, which changes when an update installs a newer data set. */
export interface ListsSource {
  /** Returns the data set to use for a request. Use the same data set for the whole request. */
  readonly current: () => Dataset;
  readonly status: () => ListsStatus;
  /** Checks for a newly installed data set without waiting for the next scheduled check. */
  readonly refresh: () => void;
  /** Stops checking. */
  readonly close: () => void;
}

/** Settings for a lists source. */
export interface ListsSourceOptions {
  /** The lists folder, for example `data/lists`. */
  readonly folder: string;
  /** Time between checks, in milliseconds. */
  readonly pollMs?: number;
  /** Called after the data set changes, or after a problem occurs or is resolved. */
  readonly onChange?: (status: ListsStatus) => void;
}

const POLL_MS = 1000;

/**
 * Creates the source of a process's data set. The process uses the newer of the installed and bundled data sets. By
 * default, the source checks the lists folder every second. If the installed data set can't be used, the process keeps
 * using the last good one.
 *
 * @example
 * const lists = createListsSource({ folder: './data/lists' });
 * lookup(['7318.15.2061'], { asOf: '2026-11-21', dataset: lists.current() });
 */
export function createListsSource({ folder, pollMs = POLL_MS, onChange }: ListsSourceOptions): ListsSource {
  let dataset: Dataset = DATASET;
  let loaded: string | null = null;
  let updatedAt: string | null = null;
  let problem: string | null = null;

  const status = (): ListsStatus => ({
    origin: dataset === DATASET ? 'bundled' : 'installed',
    version: dataset.version,
    known_through: dataset.known_through,
    sha256: dataset.sha256,
    updated_at: updatedAt,
    problem,
  });

  const refresh = (): void => {
    const before = { dataset, problem };
    try {
      const installed = readInstalled(folder);
      updatedAt = installed?.updated_at ?? null;
      const file = installed?.dataset ?? null;
      if (file !== loaded) {
        const next = file === null ? DATASET : loadDataset(readFileSync(join(folder, file), 'utf8'));
        dataset = compareVersions(next.version, DATASET.version) > 0 ? next : DATASET;
        loaded = file;
      }
      problem = null;
    } catch (error) {
      problem = (error as Error).message;
    }
    if (dataset !== before.dataset || problem !== before.problem) onChange?.(status());
  };

  refresh();
  const timer = setInterval(refresh, pollMs);
  timer.unref();
  return { current: () => dataset, status, refresh, close: () => clearInterval(timer) };
}
