import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';

/** Size limit for a page's compressed JavaScript, in bytes. The size excludes App Bridge, which Shopify serves. */
const LIMIT = 180_000;

const CLIENT = join(import.meta.dirname, '../build/client');

/** Module that the browser loads, with its imports. */
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
  /** Manifest URL. The browser also loads the manifest. */
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

/** Yields a route and its ancestors. */
function* withParents(id: string | undefined): Generator<Route> {
  const route = id === undefined ? undefined : manifest.routes[id];
  if (!route) return;
  yield route;
  yield* withParents(route.parentId);
}

/** Returns all files that a browser loads to show a page. */
function filesOf(id: string): ReadonlySet<string> {
  const modules = [manifest.entry, ...withParents(id)];
  return new Set([manifest.url, ...modules.flatMap(({ module, imports = [] }) => [module, ...imports])]);
}

describe('page JavaScript', () => {
  const pages = Object.keys(manifest.routes).filter(id => id.startsWith('routes/app.'));

  it.each(pages)('keeps page JavaScript within the size limit on %s', id => {
    const files = [...filesOf(id)].map(path => ({ path, bytes: weightOf(path) })).sort((a, b) => b.bytes - a.bytes);
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    const listed = files.map(file => `${(file.bytes / 1000).toFixed(1).padStart(7)} KB  ${file.path}`).join('\n');
    expect(bytes, `${id}: ${(bytes / 1000).toFixed(1)} KB gzip\n${listed}`).toBeLessThanOrEqual(LIMIT);
    // The libraries used by every page exceed this size, so a smaller total means that the test misread the manifest.
    expect(bytes).toBeGreaterThan(80_000);
  });

  it('finds more than ten pages in the manifest', () => {
    expect(pages.length).toBeGreaterThan(10);
  });
});
