// Fuzzes v1 and v0 with valid and invalid requests that Schemathesis generates from the OpenAPI documents, and runs all
// Schemathesis checks on the responses. Requires Python 3.9 or later. The first run installs Schemathesis from PyPI.
//
//   pnpm fuzz:api [--max-examples 200] [other Schemathesis arguments]
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createApi, createLinks, drawInProcess } from '@compliance/api';
import { openFonts } from '@compliance/core/entry';
import { parseOrigin } from '@compliance/core/tariff';
import { createCrawler, createScanner, createSiteScanner } from '@compliance/crawler';
import { createPool } from '@compliance/crawler/pool';
import { certificateFor, createNetwork, pages, unlimitedRate } from '@compliance/crawler/testing';
import { loadFace } from '@compliance/fonts';
import { openStore } from '@compliance/store';
import { serve } from '@hono/node-server';

const SCHEMATHESIS = '4.32.5';
const CACHE = fileURLToPath(new URL(`../../../node_modules/.cache/schemathesis-${SCHEMATHESIS}`, import.meta.url));
const COMMAND = join(CACHE, 'bin', 'schemathesis');
/** Options for each installation step. The timeout prevents an unreachable package registry from blocking the run. */
const QUIET = { stdio: 'ignore', timeout: 180_000 } as const;
/** Time limit for stopping the server. */
const STOP_TIMEOUT_MS = 30_000;

/**
 * Installs Schemathesis in a separate folder, unless it's already installed. Returns null on success, or the reason for
 * a failed installation.
 */
export function installSchemathesis(): string | null {
  if (existsSync(COMMAND)) return null;
  try {
    execFileSync('python3', ['-c', 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 9))'], QUIET);
  } catch {
    return 'Python 3.9 or later with the venv module is required';
  }
  try {
    execFileSync('python3', ['-m', 'venv', '--clear', CACHE], QUIET);
    execFileSync(join(CACHE, 'bin', 'pip'), ['install', '--quiet', `schemathesis==${SCHEMATHESIS}`], QUIET);
    return null;
  } catch {
    return "Schemathesis couldn't be installed from PyPI";
  }
}

/** Starts a real crawler in a loopback test network, in which every hostname resolves to the same storefront. */
async function startScanner() {
  const network = createNetwork();
  const storefront = pages({ '/': '<script>ga("create", "UA-12345-1")</script>' });
  const certificate = await certificateFor('shop.example', { trusted: true });
  await network.site('shop.example', storefront);
  await network.secureSite('shop.example', certificate, storefront);
  const transport = {
    ...network.transport,
    resolve: (_: string, ...rest: [AbortSignal]) => network.transport.resolve('shop.example', ...rest),
  };
  const pool = createPool({ workers: 1, timeoutMs: 10_000, memoryMb: 256, queue: 100 });
  const options = { contact: 'https://scanner.example/', pool, limits: { refusalMs: 0 }, targetRate: unlimitedRate };
  const scanner = createScanner(createCrawler(transport), options);
  const siteScanner = createSiteScanner(transport, options);
  return { scanner, siteScanner, close: () => Promise.all([network.close(), pool.close()]) };
}

/** Starts the service. Each request comes from a different IP address, so rate limits don't interrupt the run. */
async function startService(dataDir: string) {
  const store = await openStore({ dataDir, clock: Date.now, limits: { minute: 1e9, day: 1e9 } });
  const { key } = await store.keys.issue({ scope: 'all', note: 'delegate:on', actor: 'fuzzer' });
  const failures: unknown[] = [];
  const { scanner, siteScanner, close } = await startScanner();
  const links = createLinks({ active: 'k1', keys: { k1: new Uint8Array(32).fill(7) } });
  const certificates = { drawing: drawInProcess(openFonts(loadFace)), links, baseUrl: 'https://service.example' };
  const onFailure = (failure: unknown) => failures.push(failure);
  const api = createApi({ store, clock: Date.now, scanner, siteScanner, certificates, onFailure });
  let requests = 0;
  const fetch = (request: Request) => {
    requests++;
    const remoteAddress = [10, requests >> 16, requests >> 8, requests].map(byte => byte & 255).join('.');
    return api.fetch(request, { incoming: { socket: { remoteAddress } } });
  };
  const server = serve({ fetch, port: 0, hostname: '127.0.0.1' });
  await once(server, 'listening', { signal: AbortSignal.timeout(10_000) });
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stop = async () => {
    server.close();
    if ('closeAllConnections' in server) server.closeAllConnections();
    await once(server, 'close', { signal: AbortSignal.timeout(STOP_TIMEOUT_MS) });
    await Promise.all([store.close(), close()]);
  };
  return { base, key, failures, requests: () => requests, stop };
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('');
const COUNTRY_CODES = LETTERS.flatMap(a => LETTERS.map(b => a + b)).filter(code => parseOrigin(code) !== null);
const HOOKS = fileURLToPath(new URL('fuzz_formats.py', import.meta.url));

/** Runs Schemathesis and returns its exit code, which is 0 if all checks passed. */
async function fuzz(document: string, args: string[], dataDir: string): Promise<number> {
  // Also expect status 413, because a body that Schemathesis makes longer than the schema allows can also exceed the
  // size limit. For assessments, also expect status 200, because the service reports an invalid article in the
  // article's own result.
  const rejections = ['400', '401', '403', '404', '405', '406', '409', '413', '415', '422', '428', '429', '5xx'];
  const expected = (statuses: readonly string[]) =>
    `checks.negative_data_rejection.expected-statuses = ${JSON.stringify(statuses)}`;
  const config = join(dataDir, 'schemathesis.toml');
  // Expect status 400 for assessments, because the schema can't rule out contradictory facts.
  const contradictions =
    'checks.positive_data_acceptance.expected-statuses = ["2xx", "400", "401", "403", "404", "429", "5xx"]';
  const assessment = [
    '[[operations]]',
    'include-path = "/api/v1/tariff/assess"',
    expected([...rejections, '200']),
    contradictions,
  ].join('\n');
  await writeFile(config, `${expected(rejections)}\n\n${assessment}\n`);
  const arguments_ = [
    '--config-file',
    config,
    'run',
    document,
    '--checks',
    'all',
    '--max-examples',
    '200',
    '--no-color',
    ...args,
  ];
  const child = spawn(COMMAND, arguments_, {
    cwd: dataDir,
    stdio: 'inherit',
    env: { ...process.env, SCHEMATHESIS_HOOKS: HOOKS, COUNTRY_CODES: COUNTRY_CODES.join() },
  });
  const [code] = await once(child, 'close');
  return code ?? 1;
}

async function main(): Promise<number> {
  const missing = installSchemathesis();
  if (missing) {
    console.log(`SKIPPED: ${missing}.`);
    return process.env.CI ? 1 : 0;
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'compliance-fuzz-'));
  const service = await startService(dataDir);
  const args = process.argv.slice(2);
  const auth = ['--header', `Authorization: Bearer ${service.key}`];
  const schemaOnly = ['--include-path-regex', '/(tariff|lists)'];
  // The schema can't express the validation rules that involve several fields of a baseline or a certificate. The
  // service can therefore reject requests that match the schema.
  const crossField = ['--include-path-regex', '/(pixel|entry)', '--exclude-checks', 'positive_data_acceptance'];
  const runs: number[] = [];
  for (const part of [schemaOnly, crossField])
    runs.push(await fuzz(`${service.base}/openapi.yaml`, [...auth, ...part, ...args], dataDir));
  const v1 = Math.max(...runs);
  const v0 = await fuzz(`${service.base}/api/openapi.json`, args, dataDir);
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
  for (const failure of service.failures) console.error(failure);
  const verdict = (code: number) => (code === 0 ? 'passed' : 'failed');
  console.log(`${service.requests()} requests; v1 ${verdict(v1)}, v0 ${verdict(v0)}.`);
  return v1 === 0 && v0 === 0 && service.failures.length === 0 ? 0 : 1;
}

if (import.meta.main) process.exitCode = await main();
