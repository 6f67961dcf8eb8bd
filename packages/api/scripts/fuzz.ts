// Fuzzes v1 and v0 with requests that schemathesis makes from the two OpenAPI documents, right and wrong ones, and runs all of
// its checks on the answers. Needs Python 3.9 or later, and the network once; says so where there is none.
//
//   pnpm fuzz:api [--max-examples 200] [further arguments of schemathesis]
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createApi, createLinks } from '@compliance/api';
import { openFonts } from '@compliance/core/entry';
import { parseOrigin } from '@compliance/core/tariff';
import { createCrawler, createScanner } from '@compliance/crawler';
import { createPool } from '@compliance/crawler/pool';
import { certificateFor, createNetwork, pages } from '@compliance/crawler/testing';
import { loadFace } from '@compliance/fonts';
import { openStore } from '@compliance/store';
import { serve } from '@hono/node-server';

const SCHEMATHESIS = '4.32.5';
const CACHE = fileURLToPath(new URL(`../../../node_modules/.cache/schemathesis-${SCHEMATHESIS}`, import.meta.url));
const COMMAND = join(CACHE, 'bin', 'schemathesis');
const QUIET = { stdio: 'ignore' } as const;

/** Installs schemathesis once, into a folder of its own. Says why not where that cannot be, else null. */
export function obstacle(): string | null {
  if (existsSync(COMMAND)) return null;
  try {
    execFileSync('python3', ['-c', 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 9))'], QUIET);
  } catch {
    return 'it needs python3, version 3.9 or later, with its venv module';
  }
  try {
    execFileSync('python3', ['-m', 'venv', '--clear', CACHE], QUIET);
    execFileSync(join(CACHE, 'bin', 'pip'), ['install', '--quiet', `schemathesis==${SCHEMATHESIS}`], QUIET);
    return null;
  } catch {
    return 'schemathesis could not be installed from PyPI';
  }
}

/** A real crawler in a small internet on loopback, where every name leads to one storefront: nothing outside is asked. */
async function startScanner() {
  const network = createNetwork();
  const storefront = pages({ '/': '<script>ga("create", "UA-12345-1")</script>' });
  const certificate = await certificateFor('shop.example', { trusted: true });
  await network.site('shop.example', storefront);
  await network.secureSite('shop.example', certificate, storefront);
  const doors = {
    ...network.doors,
    resolve: (_: string, ...rest: [AbortSignal]) => network.doors.resolve('shop.example', ...rest),
  };
  const pool = createPool({ workers: 1, timeoutMs: 10_000, memoryMb: 256, queue: 100 });
  const limits = { refusalMs: 0 };
  const scanner = createScanner(createCrawler(doors), { contact: 'https://scanner.example/', pool, limits });
  return { scanner, close: () => Promise.all([network.close(), pool.close()]) };
}

/** Every request comes from an address of its own, so that limits do not stop the work. */
async function startService(dataDir: string) {
  const store = await openStore({ dataDir, clock: Date.now, limits: { minute: 1e9, day: 1e9 } });
  const { key } = await store.keys.issue({ scope: 'all', note: 'delegate:on', actor: 'fuzzer' });
  const failures: unknown[] = [];
  const { scanner, close } = await startScanner();
  const links = createLinks({ active: 'k1', keys: { k1: new Uint8Array(32).fill(7) } });
  const certificates = { fonts: openFonts(loadFace), links, baseUrl: 'https://service.example' };
  const onFailure = (failure: unknown) => failures.push(failure);
  const api = createApi({ store, clock: Date.now, scanner, certificates, onFailure });
  let asked = 0;
  const fetch = (request: Request) => {
    asked++;
    const remoteAddress = [10, asked >> 16, asked >> 8, asked].map(byte => byte & 255).join('.');
    return api.fetch(request, { incoming: { socket: { remoteAddress } } });
  };
  const server = serve({ fetch, port: 0, hostname: '127.0.0.1' });
  await once(server, 'listening');
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stop = async () => {
    server.close();
    await once(server, 'close');
    await Promise.all([store.close(), close()]);
  };
  return { base, key, failures, asked: () => asked, stop };
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('');
const COUNTRY_CODES = LETTERS.flatMap(a => LETTERS.map(b => a + b)).filter(code => parseOrigin(code) !== null);
const HOOKS = fileURLToPath(new URL('fuzz_formats.py', import.meta.url));

/** The exit code: 0 when it found nothing. */
async function fuzz(document: string, args: string[], dataDir: string): Promise<number> {
  // A body that breaks a limit by its length is refused as too large, before anyone reads what is wrong in it.
  const config = join(dataDir, 'schemathesis.toml');
  await writeFile(
    config,
    '[checks]\nnegative_data_rejection.expected-statuses = ["400", "401", "403", "404", "405", "406", "409", "413", "415", "422", "428", "429", "5xx"]\n',
  );
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
  const missing = obstacle();
  if (missing) {
    console.log(`SKIPPED: ${missing}.`);
    return process.env.CI ? 1 : 0;
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'compliance-fuzz-'));
  const service = await startService(dataDir);
  const args = process.argv.slice(2);
  const auth = ['--header', `Authorization: Bearer ${service.key}`];
  const described = ['--include-path-regex', '/(tariff|lists)'];
  // A baseline and a certificate have rules across fields, which a document cannot say: what fits the document may be refused.
  const crossed = ['--include-path-regex', '/(pixel|entry)', '--exclude-checks', 'positive_data_acceptance'];
  const runs: number[] = [];
  for (const part of [described, crossed])
    runs.push(await fuzz(`${service.base}/openapi.yaml`, [...auth, ...part, ...args], dataDir));
  const v1 = Math.max(...runs);
  const v0 = await fuzz(`${service.base}/api/openapi.json`, args, dataDir);
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
  for (const failure of service.failures) console.error(failure);
  const verdict = (code: number) => (code === 0 ? 'held' : 'did not hold');
  console.log(`${service.asked()} requests; v1 ${verdict(v1)}, v0 ${verdict(v0)}.`);
  return v1 === 0 && v0 === 0 && service.failures.length === 0 ? 0 : 1;
}

if (import.meta.main) process.exitCode = await main();
