import { type PublishedRecord, type Retest, retestsOf } from '@compliance/core/entry';

const DAY_MS = 86_400_000;

/** Length of the reminder period, in days before a test's due date. */
const REMIND_DAYS = 60;

/**
 * Returns the latest due date that is within the reminder period.
 *
 * @param now milliseconds since the Unix epoch
 * @example remindUntil(Date.UTC(2026, 10, 1)) // '2026-12-31'
 */
export const remindUntil = (now: number): string => new Date(now + REMIND_DAYS * DAY_MS).toISOString().slice(0, 10);

/** Returns the tests that are due soon or overdue, earliest first. Only children's products need periodic tests. */
export const retestsDue = (record: PublishedRecord, now: number): Retest[] =>
  retestsOf(record, 'periodic').filter(({ due }) => due <= remindUntil(now));
