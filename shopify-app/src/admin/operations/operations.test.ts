import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { faultsOfDocument, scopesOfDocument } from '@compliance/fake-shopify';
import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { API_VERSION } from '../../context/app.ts';
import type { AdminOperation } from './define-admin-operation.ts';

const APP = join(import.meta.dirname, '../../..');
const read = (file: string) => readFileSync(join(APP, file), 'utf8');

const isOperation = (value: unknown): value is AdminOperation<unknown> =>
  typeof value === 'object' && value !== null && 'document' in value && 'response' in value;

const operations = (
  await Promise.all(
    globSync('src/admin/operations/*.ts', { cwd: APP })
      .filter(file => !file.endsWith('.test.ts'))
      .map(async file => Object.values<unknown>(await import(join(APP, file))).filter(isOperation)),
  )
).flat();

const { access_scopes } = z
  .object({ access_scopes: z.object({ scopes: z.string(), optional_scopes: z.array(z.string()) }) })
  .parse(parse(read('shopify.app.toml')));
const granted = [...access_scopes.scopes.split(','), ...access_scopes.optional_scopes];

describe('Admin API operations', () => {
  it.each(operations.map(operation => [operation.name, operation.document]))(
    'validates the %s document against the Admin API schema',
    (_, document) => {
      expect(document).toMatch(/^#graphql\n/);
      expect(faultsOfDocument(document)).toEqual([]);
    },
  );

  it.each(operations.map(operation => [operation.name, operation.document]))(
    'runs %s with only the scopes that the app requests',
    (_, document) => {
      // A write scope includes the read scope.
      const missing = scopesOfDocument(document).filter(
        scope => !granted.includes(scope) && !granted.includes(scope.replace('read_', 'write_')),
      );
      expect(missing).toEqual([]);
    },
  );

  it('gives each operation a unique name', () => {
    const names = operations.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  it('defines Admin API operations only in `src/admin/operations`', () => {
    const elsewhere = globSync('{app,src}/**/*.{ts,tsx}', { cwd: APP })
      .filter(file => !file.startsWith('src/admin/operations/') && !/\.test\.tsx?$/.test(file))
      .filter(file => /#graphql|\bmutation \w+ *[({]/.test(read(file)));
    expect(elsewhere).toEqual([]);
  });

  it('uses the same Admin API version as the test schema', () => {
    expect(read('../packages/dev/fake-shopify/src/schema.graphql').split('\n')[0]).toContain(
      `Admin API ${API_VERSION}`,
    );
  });
});

describe('access scopes', () => {
  it('requires only two access scopes, and never declares the same scope twice', () => {
    expect(access_scopes.scopes).toBe('read_products,read_themes');
    expect(new Set(granted).size).toBe(granted.length);
  });

  it('never requests scopes for customers, orders, or theme writes', () => {
    expect(granted.filter(scope => /customer|order|checkout|write_themes|pixel/.test(scope))).toEqual([]);
  });
});
