import { styleText } from 'node:util';
import { StoreError, type StorePlace } from '@compliance/store';
import type { Finding, Patient } from '../doctor/finding.ts';
import { networkFindings } from '../doctor/network.ts';
import { fontFindings, listFindings, nodeFindings } from '../doctor/release.ts';
import { modeFindings, secretFindings } from '../doctor/secrets.ts';
import { databaseFindings, diskFindings, pdfFindings } from '../doctor/storage.ts';
import { Failure } from '../failure.ts';
import { print, printable, table } from '../output/print.ts';
import { placeFor } from '../store.ts';

const COLOUR = { ok: 'green', warn: 'yellow', fail: 'red' } as const;

/** `compliance doctor`. It changes nothing, but for one small PDF that stays where PDFs are kept. */
export async function doctorCommand({
  data,
  baseUrl,
  trustedProxies,
  json,
}: {
  data: string;
  baseUrl?: string;
  trustedProxies: number;
  json?: boolean;
}): Promise<void> {
  const { env } = process;
  const isProduction = env.NODE_ENV === 'production';
  const patient: Patient = { dataDir: data, env, baseUrl, trustedProxies, isProduction };
  const place = await attempt('settings', () => placeFor(data));
  const findings = [
    ...nodeFindings(),
    ...('seen' in place ? await storageFindings(place.seen) : [place.finding]),
    ...secretFindings(patient),
    ...modeFindings(patient),
    ...networkFindings(patient),
    ...listFindings(Date.now()),
    ...(await fontFindings()),
  ];
  const worst = (['fail', 'warn', 'ok'] as const).find(status => findings.some(each => each.status === status));
  if (json) print(JSON.stringify({ status: worst, checks: findings }));
  else print(table(['', 'Check', 'Found'], [6, 17], findings.map(columns)));
  if (worst === 'fail') process.exitCode = 1;
}

async function storageFindings(place: StorePlace): Promise<Finding[]> {
  const looks = { database: databaseFindings, PDFs: pdfFindings, disk: diskFindings };
  const findings: Finding[] = [];
  for (const [check, look] of Object.entries(looks)) {
    const looked = await attempt(check, () => look(place));
    findings.push(...('seen' in looked ? looked.seen : [looked.finding]));
  }
  return findings;
}

/** What cannot even be looked at is a finding. Only sentences that are written for people are shown: others may hold a secret. */
async function attempt<T>(check: string, look: () => T | Promise<T>): Promise<{ seen: T } | { finding: Finding }> {
  try {
    return { seen: await look() };
  } catch (error) {
    const isOurs = error instanceof Failure || error instanceof StoreError;
    const found = isOurs
      ? error.message
      : `It cannot be looked at (${(error as { code?: string }).code ?? 'no code'}).`;
    const todo = 'Look at the settings: DATABASE_URL, S3_BUCKET and its companions, --data.';
    return { finding: { check, status: 'fail', found, todo } };
  }
}

function columns({ check, status, found, todo }: Finding): string[] {
  const advice = todo === undefined ? '' : `\n→ ${printable(todo)}`;
  return [styleText(COLOUR[status], status), check, printable(found) + advice];
}
