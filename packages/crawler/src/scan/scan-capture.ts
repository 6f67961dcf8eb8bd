import { type DriftResult, drift, type Inventory, type Profile, type ScanResult, scan } from '@compliance/core/pixel';
import type { StorefrontCapture } from '../capture.ts';

/** A capture and its scan options, as plain data that can be sent to a worker process. */
export interface ScanJob {
  capture: StorefrontCapture;
  asOf: string;
  profile?: Profile;
  baseline?: Inventory;
}

/** Scans a capture. Runs in a pool worker, because the page might be malicious and must not affect other scans. */
export function scanCapture({ capture, asOf, profile, baseline }: ScanJob): {
  result: ScanResult;
  drift: DriftResult | null;
} {
  const result = scan(capture, { asOf, ...(profile && { profile }) });
  return { result, drift: baseline ? drift(baseline, result.inventory) : null };
}
