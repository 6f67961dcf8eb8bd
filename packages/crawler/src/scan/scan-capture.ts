import { type DriftResult, drift, type Inventory, type Profile, type ScanResult, scan } from '@compliance/core/pixel';
import type { Capture } from '../capture.ts';

/** A capture and what to judge it by. Plain data, since it crosses into a worker. */
export interface ScanJob {
  capture: Capture;
  asOf: string;
  profile?: Profile;
  baseline?: Inventory;
}

/** Runs in a worker of the pool: the page is hostile and costs its own scan alone. */
export function scanCapture({ capture, asOf, profile, baseline }: ScanJob): {
  result: ScanResult;
  drift: DriftResult | null;
} {
  const result = scan(capture, { asOf, ...(profile && { profile }) });
  return { result, drift: baseline ? drift(baseline, result.inventory) : null };
}
