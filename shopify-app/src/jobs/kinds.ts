import type { Scanner } from '@compliance/crawler';
import type { JobKind } from './job.ts';

/** What the jobs work with besides the shop. */
export interface JobDoors {
  readonly scanner: Scanner;
}

/** Every kind of job there is. */
export const jobKinds = (_doors: JobDoors): readonly JobKind[] => [];
