import { describeLocation } from '@compliance/store';
import type { LastStart } from '../data-folder/service-record.ts';
import type { CheckResult, Environment } from './check-result.ts';

/**
 * Compares this environment with the settings from the service's last start. If the settings differ, the results of the
 * other checks don't apply to the running service.
 */
export function checkSettings({ record, isProduction, location, baseUrl }: Environment): CheckResult[] {
  const check = 'settings';
  const started = record?.last_start;
  if (!started) return [];
  const differences = [
    ...productionDifference(started, isProduction),
    ...locationDifferences(started, describeLocation(location)),
    ...(started.base_url === (baseUrl ?? null)
      ? []
      : [
          `COMPLIANCE_BASE_URL ${baseUrl ? `is ${baseUrl}` : "isn't set"}, but the service started ${started.base_url ? `with ${started.base_url}` : 'without it'}.`,
        ]),
  ];
  if (differences.length === 0) {
    return [
      {
        check,
        status: 'ok',
        found: `These settings are the same as when the service started at ${started.at}.`,
      },
    ];
  }
  const todo = `If these settings are new, restart the service. Otherwise, run doctor with the service's settings${
    started.production
      ? ' (systemd: sudo compliance doctor; Docker Compose: docker compose exec app compliance doctor).'
      : ': set the same variables as for `compliance serve`.'
  }`;
  return [{ check, status: 'fail', found: differences.join(' '), todo }];
}

function productionDifference({ production, operator_secret, link_keys }: LastStart, isProduction: boolean): string[] {
  if (production === isProduction) return [];
  if (!production) return ["NODE_ENV is production, but it wasn't when the service started."];
  const names = [
    ...(operator_secret === 'environment' ? ['OPERATOR_SECRET'] : []),
    ...(link_keys.origin === 'environment' ? ['LINK_KEYS'] : []),
  ];
  const secrets = names.length > 0 ? `, with ${names.join(' and ')} from its environment` : '';
  return [`NODE_ENV isn't production, but it was when the service started${secrets}.`];
}

function locationDifferences(started: LastStart, here: { tables: string; pdfs: string }): string[] {
  return [
    ...(started.tables === here.tables
      ? []
      : [`The service's tables are in ${started.tables}, but these settings (DATABASE_URL) point to ${here.tables}.`]),
    ...(started.pdfs === here.pdfs
      ? []
      : [
          `The service's PDFs are in ${started.pdfs}, but these settings (S3_BUCKET, S3_ENDPOINT) point to ${here.pdfs}.`,
        ]),
  ];
}
