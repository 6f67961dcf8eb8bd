import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drawInProcess } from '@compliance/drawing';
import type { FuzzTarget } from '@compliance/fuzz';
import { openStore, type Store } from '@compliance/store';
import { type Api, createApi } from '../api.ts';
import { OPERATIONS } from '../operations/operations.gen.ts';
import { createLinks } from './links.ts';

const NOW = Date.UTC(2026, 10, 21, 17);
const ORIGIN = 'http://service.test';
/**
 * Placeholder for the certificate ID in the inputs. Each run replaces the placeholder with the ID of a newly issued
 * certificate.
 */
const ID = '3f0c8a52-6b1d-4e0f-9c77-2a5d1e8b4f60';
const HOUR_MS = 3_600_000;
const target = { id: ID, sha256: 'ab'.repeat(32) };
const keys = { k1: new Uint8Array(32).fill(1), k2: new Uint8Array(32).fill(2) };
const signers = { k1: createLinks({ active: 'k1', keys }), k2: createLinks({ active: 'k2', keys }) };
const links = signers.k2;

/** Signs a link's claims again. A valid link must be identical to the result. */
function resign(text: string, of: typeof target): string | null {
  const [, kid, exp] = /kid=(\w+)&exp=(\d+)/.exec(text) ?? [];
  const signer = kid && Object.hasOwn(signers, kid) ? signers[kid as keyof typeof signers] : null;
  return signer ? signer.sign(of, Number(exp) * 1000 - HOUR_MS).path : null;
}

let store: Store;
let api: Api;
let dataDir: string;
let issued: typeof target;
const failures: unknown[] = [];

/** Fuzzes link verification. Each input is a request's path and query. */
export default {
  covers: ['packages/api/src/'],
  seeds: [
    links.sign(target, NOW).path,
    signers.k1.sign(target, NOW + 1000).path,
    links.sign(target, NOW - 2 * HOUR_MS).path,
    links.sign(target, NOW + 200 * HOUR_MS).path,
    ...[`/gcc/${ID}`, '/docs/errors/link_expired', '/docs/rules/ga_js_legacy', '/docs/lists/steel-16n', '/beta'],
    ...['/api/v0/hts/7318.15.2061?as_of=2026-11-21', '/?code=7318.15', '/openapi.yaml', '/operator/keys'],
    ...OPERATIONS.map(({ path }) => path),
  ],
  words: ['/pdf', '?kid=k2', '&exp=1795266000', '&sig=', '%2e%2e/', '//', '/./', '%00', '\\', ID],
  maxLength: 400,
  async open() {
    dataDir = await mkdtemp(join(tmpdir(), 'compliance-fuzz-'));
    store = await openStore({ dataDir, clock: () => NOW });
    const certificates = { drawing: drawInProcess, links, baseUrl: ORIGIN };
    api = createApi({ store, clock: () => NOW, certificates, onFailure: failure => failures.push(failure) });
    const { key } = await store.keys.issue({ scope: 'all', note: 'delegate:on', actor: 'fuzz' });
    const generate = OPERATIONS.find(({ id }) => id === 'entry.gcc.generate')!;
    const response = await api.fetch(
      new Request(`${ORIGIN}${generate.path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${key}` },
        body: JSON.stringify(generate.examples[0]!.request),
      }),
    );
    const { gcc_id: id, sha256 } = (await response.json()) as { gcc_id: string; sha256: string };
    issued = { id, sha256 };
  },
  async close() {
    await store.close();
    await rm(dataDir, { recursive: true });
  },
  async holds(input) {
    const verdict = links.verify(input, ID, target, NOW);
    if (verdict !== 'invalid' && input !== resign(input, target))
      throw new Error('accepts a link that was never signed');
    if (links.verify(input, ID, null, NOW) !== 'invalid') throw new Error('accepts a link to an unknown certificate');

    const url = ORIGIN + input.replaceAll(ID, issued.id);
    if (!URL.canParse(url) || new URL(url).origin !== ORIGIN) return;
    const response = await api.fetch(new Request(url));
    const text = await response.text();
    if (failures.length > 0) throw failures.pop();
    const { pathname, search } = new URL(url);
    const isPdf = response.headers.get('Content-Type') === 'application/pdf';
    if (isPdf && pathname + search !== resign(search, issued))
      throw new Error('returns a PDF for a link that was never signed');
    if (!isPdf && /<script(?![^>]* src="\/)[^>]*>(?!\s*<)/i.test(text) && /<script[^>]*>[^<]*alert/.test(text)) {
      throw new Error('reflects a script from the request');
    }
    if (!response.headers.has('X-Request-Id')) throw new Error('returns a response without a request ID');
  },
} satisfies FuzzTarget;
