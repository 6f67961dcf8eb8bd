import { styleText } from 'node:util';
import { StoreError } from '@compliance/store';
import { Command } from 'commander';
import { CliError } from '../cli-error.ts';
import { readServiceRecord } from '../data-folder/service-record.ts';
import { checkBackups } from '../doctor/backups.ts';
import type { CheckResult, Environment } from '../doctor/check-result.ts';
import { checkDataFolder, checkFileModes } from '../doctor/data-folder.ts';
import { checkLaboratories } from '../doctor/laboratories.ts';
import { checkLive } from '../doctor/live.ts';
import { checkNetwork } from '../doctor/network.ts';
import { checkFonts, checkNode, checkTariffLists } from '../doctor/release.ts';
import { checkRenderer } from '../doctor/renderer.ts';
import { checkSandbox } from '../doctor/sandbox.ts';
import { checkSecrets } from '../doctor/secrets.ts';
import { checkSettings } from '../doctor/settings.ts';
import { checkDatabase, checkDisk, checkPdfs, type DatabaseCheck } from '../doctor/storage.ts';
import { storeLocation } from '../open-store.ts';
import { jsonOption, type StoreCommandOptions } from '../options.ts';
import { print, sanitizeForTerminal, table } from '../output/print.ts';
import { settingOption } from '../settings/settings.ts';

interface Options extends StoreCommandOptions {
  baseUrl?: string;
  trustedProxies: number;
  egress?: URL;
  render: 'on' | 'off' | 'without-namespaces';
  labs?: string;
  live?: URL;
  key?: string;
}

const COLOR = { ok: 'green', warn: 'yellow', fail: 'red' } as const;

/**
 * The `compliance doctor` command. Stores one small test PDF and, with `--live` and a test key, one test certificate a
 * day. Makes no other changes.
 */
export default new Command('doctor')
  .description('Check a deployment, using the same settings as the serve command, and suggest fixes.')
  .addOption(settingOption('COMPLIANCE_DOCTOR_URL'))
  .addOption(settingOption('COMPLIANCE_DOCTOR_KEY'))
  .addOption(settingOption('COMPLIANCE_DATA'))
  .addOption(settingOption('COMPLIANCE_BASE_URL'))
  .addOption(settingOption('COMPLIANCE_TRUSTED_PROXIES'))
  .addOption(settingOption('COMPLIANCE_EGRESS'))
  .addOption(settingOption('COMPLIANCE_RENDER'))
  .addOption(settingOption('COMPLIANCE_LABS'))
  .addOption(jsonOption())
  .action(async ({ data, baseUrl, trustedProxies, egress, render, labs, live, key, json }: Options) => {
    const results = [checkNode(), ...(await checkDeployment({ dataDir: data, baseUrl, trustedProxies, egress }))];
    if (live) results.push(...(await tryCheck('live', () => checkLive({ url: live, baseUrl, key, now: Date.now }))));
    results.push(
      ...checkSandbox(),
      ...(await checkRenderer(render)),
      ...checkTariffLists(data, Date.now()),
      await checkLaboratories(labs),
      ...(await checkFonts()),
    );
    const worst = (['fail', 'warn', 'ok'] as const).find(status => results.some(each => each.status === status));
    if (json) print(JSON.stringify({ status: worst, checks: results }));
    else print(table(['', 'Check', 'Result'], [6, 17], results.map(columns)));
    if (worst === 'fail') process.exitCode = 1;
  });

async function checkDeployment(
  settings: Pick<Environment, 'dataDir' | 'baseUrl' | 'trustedProxies' | 'egress'>,
): Promise<CheckResult[]> {
  const { env } = process;
  const results: CheckResult[] = [];
  const read = await tryCheck('settings', () => {
    const location = storeLocation(settings.dataDir);
    return { location, record: readServiceRecord(settings.dataDir) };
  });
  if (Array.isArray(read)) return read;
  const environment: Environment = { ...settings, ...read, env, isProduction: env.NODE_ENV === 'production' };
  const folder = checkDataFolder(environment);
  results.push(...folder, ...(await tryCheck('settings', () => checkSettings(environment))));
  // The storage checks open the database and store a test PDF, so run them only if this is the service's data folder.
  if (folder.every(({ status }) => status !== 'fail')) {
    results.push(...(await checkStorage(environment)), ...checkFileModes(environment));
  }
  results.push(...(await checkNetwork(environment)), ...checkBackups(environment, Date.now()));
  return results;
}

async function checkStorage(environment: Environment): Promise<CheckResult[]> {
  const { location } = environment;
  const database = await tryCheck('database', () => checkDatabase(location));
  const checked: DatabaseCheck = Array.isArray(database) ? { results: database, operatorSecretHash: null } : database;
  const isReadable = checked.results.every(({ check, status }) => check !== 'database' || status !== 'fail');
  return [
    ...checked.results,
    ...(await tryCheck('PDFs', () => checkPdfs(location, { verify: isReadable }))),
    ...(await tryCheck('disk', () => checkDisk(location))),
    ...(await tryCheck('secrets', () => checkSecrets(environment, checked.operatorSecretHash))),
  ];
}

/**
 * Runs a check and reports any error as a failed check. Shows an error message only if it's intended for users, because
 * other messages might contain a secret.
 */
async function tryCheck<T>(check: string, run: () => T | Promise<T>): Promise<T | CheckResult[]> {
  try {
    return await run();
  } catch (error) {
    const isForUsers = error instanceof CliError || error instanceof StoreError;
    const found = isForUsers
      ? error.message
      : `This check couldn't run (${(error as { code?: string }).code ?? 'no error code'}).`;
    const todo = 'Review DATABASE_URL, S3 settings such as S3_BUCKET, and --data.';
    return [{ check, status: 'fail', found, todo }];
  }
}

function columns({ check, status, found, todo }: CheckResult): string[] {
  const advice = todo === undefined ? '' : `\n→ ${sanitizeForTerminal(todo)}`;
  return [styleText(COLOR[status], status), check, sanitizeForTerminal(found) + advice];
}
