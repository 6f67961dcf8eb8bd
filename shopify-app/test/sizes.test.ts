import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';

/** What the JavaScript of a page may weigh on the wire, in bytes. App Bridge comes from Shopify, and is not ours to weigh. */
const LIMIT = 180_000;

const CLIENT = join(import.meta.dirname, '../build/client');

/** A file that the browser loads, and those that it loads with it. */
interface Module {
  readonly module: string;
  readonly imports?: readonly string[];
}
interface Route extends Module {
  readonly id: string;
  readonly parentId?: string;
}
interface Manifest {
  readonly entry: Module;
  readonly routes: Readonly<Record<string, Route>>;
  /** Where the manifest itself is; the browser loads it too. */
  readonly url: string;
}

const [file] = globSync('assets/manifest-*.js', { cwd: CLIENT });
const manifest: Manifest = JSON.parse(/=(\{.*\});?\s*$/s.exec(readFileSync(join(CLIENT, file!), 'utf8'))![1]!);

const weights = new Map<string, number>();
function weightOf(path: string): number {
  const known = weights.get(path) ?? gzipSync(readFileSync(join(CLIENT, path))).length;
  weights.set(path, known);
  return known;
}

/** A route and those that it stands in. */
function* withParents(id: string | undefined): Generator<Route> {
  const route = id === undefined ? undefined : manifest.routes[id];
  if (!route) return;
  yield route;
  yield* withParents(route.parentId);
}

/** All that a browser loads to show a page. */
function filesOf(id: string): ReadonlySet<string> {
  const modules = [manifest.entry, ...withParents(id)];
  return new Set([manifest.url, ...modules.flatMap(({ module, imports = [] }) => [module, ...imports])]);
}

describe('the JavaScript of a page', () => {
  const pages = Object.keys(manifest.routes).filter(id => id.startsWith('routes/app.'));

  it.each(pages)('is light on %s', id => {
    const files = [...filesOf(id)].map(path => ({ path, bytes: weightOf(path) })).sort((a, b) => b.bytes - a.bytes);
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    const listed = files.map(file => `${(file.bytes / 1000).toFixed(1).padStart(7)} KB  ${file.path}`).join('\n');
    expect(bytes, `${id}: ${(bytes / 1000).toFixed(1)} KB gzip\n${listed}`).toBeLessThanOrEqual(LIMIT);
    // React alone is more: with less the manifest was misread.
    expect(bytes).toBeGreaterThan(80_000);
  });

  it('is known of every screen', () => {
    expect(pages.length).toBeGreaterThan(10);
  });
});
