import { existsSync } from 'node:fs';
import { ageText } from '../output/print.ts';
import type { CheckResult, Environment } from './check-result.ts';

const HOUR_MS = 3_600_000;

/**
 * Maximum age of the newest backup, in milliseconds: one day between backups plus a one-day grace period.
 */
const MAX_AGE_MS = 48 * HOUR_MS;

/** Grace period for a new service's first backup, in milliseconds. */
const GRACE_MS = 24 * HOUR_MS;

/**
 * Checks the age of the newest backup, based on the record in the data folder. A missing or old backup is a problem
 * only in production.
 */
export function checkBackups({ record, isProduction }: Environment, now: number): CheckResult[] {
  const check = 'backup';
  if (!record) return [];
  const todo =
    'Run: compliance backup FOLDER. To back up every day, enable compliance-backup.timer or schedule the command.';
  const newest = record.last_backup;
  if (!newest) {
    const isNew = now - Date.parse(record.created_at) < GRACE_MS;
    const found = 'The service has never been backed up.';
    if (!isProduction) return [{ check, status: 'ok', found }];
    return [{ check, status: isNew ? 'warn' : 'fail', found, todo }];
  }
  const age = now - Date.parse(newest.made_at);
  const found = `The newest backup is ${newest.file}, ${ageText(age)} old.`;
  if (age > MAX_AGE_MS && isProduction) return [{ check, status: 'fail', found, todo }];
  if (!existsSync(newest.file)) {
    const gone = `The newest backup, ${newest.file}, was moved or deleted, so doctor can't check it.`;
    return [{ check, status: isProduction ? 'warn' : 'ok', found: gone, ...(isProduction && { todo }) }];
  }
  return [{ check, status: 'ok', found }];
}
