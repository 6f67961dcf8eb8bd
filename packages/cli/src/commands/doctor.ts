import { styleText } from 'node:util';
import { StoreError, type StoreLocation } from '@compliance/store';
import { Command } from 'commander';
import { CliError } from '../cli-error.ts';
import type { CheckResult, Environment } from '../doctor/check-result.ts';
import { checkNetwork } from '../doctor/network.ts';
import { checkFonts, checkNode, checkTariffLists } from '../doctor/release.ts';
import { checkSandbox } from '../doctor/sandbox.ts';
import { checkFileModes, checkSecrets } from '../doctor/secrets.ts';
import { checkDatabase, checkDisk, checkPdfs } from '../doctor/storage.ts';
import { storeLocation } from '../open-store.ts';
import { baseUrlOption, dataOption, jsonOption, proxiesOption, type StoreCommandOptions } from '../options.ts';
import { print, sanitizeForTerminal, table } from '../output/print.ts';

interface Options extends StoreCommandOptions {
  baseUrl?: string;
  trustedProxies: number;
}

const COLOR = { ok: 'green', warn: 'yellow', fail: 'red' } as const;

/** The `compliance doctor` command, which stores one small test PDF and makes no other changes. */
export default new Command('doctor')
  .description('Check a deployment, using the same settings as the serve command, and suggest fixes.')
  .addOption(dataOption())
  .addOption(baseUrlOption())
  .addOption(proxiesOption())
  .addOption(jsonOption())
  .action(async ({ data, baseUrl, trustedProxies, json }: Options) => {
    const { env } = process;
    const isProduction = env.NODE_ENV === 'production';
    const environment: Environment = { dataDir: data, env, baseUrl, trustedProxies, isProduction };
    const location = await tryCheck('settings', () => storeLocation(data));
    const results = [
      ...checkNode(),
      ...('value' in location ? await checkStorage(location.value) : [location.failure]),
      ...checkSecrets(environment),
      ...checkFileModes(environment),
      ...checkNetwork(environment),
      ...checkSandbox(),
      ...checkTariffLists(Date.now()),
      ...(await checkFonts()),
    ];
    const worst = (['fail', 'warn', 'ok'] as const).find(status => results.some(each => each.status === status));
    if (json) print(JSON.stringify({ status: worst, checks: results }));
    else print(table(['', 'Check', 'Result'], [6, 17], results.map(columns)));
    if (worst === 'fail') process.exitCode = 1;
  });

async function checkStorage(location: StoreLocation): Promise<CheckResult[]> {
  const checks = { database: checkDatabase, PDFs: checkPdfs, disk: checkDisk };
  const results: CheckResult[] = [];
  for (const [check, run] of Object.entries(checks)) {
    const outcome = await tryCheck(check, () => run(location));
    results.push(...('value' in outcome ? outcome.value : [outcome.failure]));
  }
  return results;
}

/**
 * Runs a check and reports errors as failed checks. Shows an error message only if it's intended for users, because
 * other messages might contain a secret.
 */
async function tryCheck<T>(check: string, run: () => T | Promise<T>): Promise<{ value: T } | { failure: CheckResult }> {
  try {
    return { value: await run() };
  } catch (error) {
    const isForUsers = error instanceof CliError || error instanceof StoreError;
    const found = isForUsers
      ? error.message
      : `This check couldn't run (${(error as { code?: string }).code ?? 'no error code'}).`;
    const todo = 'Review DATABASE_URL, S3 settings such as S3_BUCKET, and --data.';
    return { failure: { check, status: 'fail', found, todo } };
  }
}

function columns({ check, status, found, todo }: CheckResult): string[] {
  const advice = todo === undefined ? '' : `\n→ ${sanitizeForTerminal(todo)}`;
  return [styleText(COLOR[status], status), check, sanitizeForTerminal(found) + advice];
}
