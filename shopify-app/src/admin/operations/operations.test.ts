import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { faultsOfDocument, scopesOfDocument } from '../../../stand-in/admin/api.ts';
import { API_VERSION } from '../../app.ts';
import type { Operation } from '../admin.ts';

const APP = join(import.meta.dirname, '../../..');
const read = (file: string) => readFileSync(join(APP, file), 'utf8');

const isOperation = (value: unknown): value is Operation<unknown> =>
  typeof value === 'object' && value !== null && 'document' in value && 'answer' in value;

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

describe('what is asked of the Admin API', () => {
  it.each(operations.map(operation => [operation.name, operation.document]))(
    '%s is a document that Shopify takes',
    (_, document) => {
      expect(document).toMatch(/^#graphql\n/);
      expect(faultsOfDocument(document)).toEqual([]);
    },
  );

  it.each(operations.map(operation => [operation.name, operation.document]))(
    '%s needs no scope that the app does not ask for',
    (_, document) => {
      // The scope to write holds the one to read.
      const missing = scopesOfDocument(document).filter(
        scope => !granted.includes(scope) && !granted.includes(scope.replace('read_', 'write_')),
      );
      expect(missing).toEqual([]);
    },
  );

  it('has a name each', () => {
    const names = operations.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  it('stands here and nowhere else', () => {
    const elsewhere = globSync('{app,src}/**/*.{ts,tsx}', { cwd: APP })
      .filter(file => !file.startsWith('src/admin/operations/') && !/\.test\.tsx?$/.test(file))
      .filter(file => /#graphql|\bmutation \w+ *[({]/.test(read(file)));
    expect(elsewhere).toEqual([]);
  });

  it('is of one version in the code and in the schema that it is held against', () => {
    expect(read('stand-in/schema.graphql').split('\n')[0]).toContain(`Admin API ${API_VERSION}`);
  });
});

describe('the scopes', () => {
  it('that the app cannot do without are two, and none is asked for twice', () => {
    expect(access_scopes.scopes).toBe('read_products,read_themes');
    expect(new Set(granted).size).toBe(granted.length);
  });

  it('show no customer and no order, and write no theme', () => {
    expect(granted.filter(scope => /customer|order|checkout|write_themes|pixel/.test(scope))).toEqual([]);
  });
});
