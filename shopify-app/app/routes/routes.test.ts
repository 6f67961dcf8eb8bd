import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const APP = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(APP, file), 'utf8');
const isTest = (file: string) => /\.(test|stories)\.tsx?$|\/testing\//.test(file);
/** Returns a file's code without comments. */
const code = (file: string) => read(file).replace(/^ *(\/\*\*|\*|\/\/).*$/gm, '');
const product = globSync('{app,src}/**/*.{ts,tsx}', { cwd: APP }).filter(file => !isTest(file));
const routes = globSync('app/routes/*', { cwd: APP }).filter(file => !isTest(file));

describe('routes', () => {
  it('requires authentication for every route except three public routes', () => {
    const publicRoutes = routes.map(file => basename(file)).filter(name => !/^app(\.|$)/.test(name));
    expect(publicRoutes.sort()).toEqual(['_index.tsx', 'auth.login.tsx', 'webhooks.ts']);
  });

  it.each(routes)('keeps the route file %s under 60 lines', file => {
    expect(read(file).split('\n').length).toBeLessThan(60);
  });

  it.each(routes)('never identifies the merchant in %s by a URL parameter or form field', file => {
    expect(read(file)).not.toMatch(/get\(\s*['"`](shop|host|id_token|hmac)['"`]\s*\)/);
  });

  it.each(routes)('builds responses in %s only with helpers that React Router supports', file => {
    const text = read(file).replaceAll('Response.json(', '');
    expect(text).not.toMatch(/\bjson\(|\bdefer\(|new Response\(\s*`/);
  });
});

describe('the app', () => {
  it('never inserts text into a page as HTML', () => {
    expect(
      product.filter(file => /dangerouslySetInnerHTML|innerHTML|document\.write|\beval\(/.test(read(file))),
    ).toEqual([]);
  });

  it('never asks for a shop domain', () => {
    const components = product.filter(file => file.endsWith('.tsx') && /myshopify/.test(read(file)));
    const messages = globSync('app/i18n/locales/*/*.json', { cwd: APP }).filter(file => /myshopify/.test(read(file)));
    expect([...components, ...messages]).toEqual([]);
  });

  it('doesn’t have a setting that weakens authentication or changes the Shopify host', () => {
    const settings = product.filter(file => /process\.env/.test(code(file)));
    // `set-node-env.ts` selects the React build, and `dev.ts` adapts Shopify CLI's environment variables.
    expect(settings.sort()).toEqual(['src/dev.ts', 'src/main.ts', 'src/set-node-env.ts']);
    expect(
      product.filter(file =>
        /isTesting|adminApiAccessToken|setAbstractFetchFunc|fake-shopify|\bfakeShopify\b/.test(code(file)),
      ),
    ).toEqual([]);
  });

  it('doesn’t contain secrets in source files', () => {
    const files = execFileSync('git', ['ls-files', '.'], { cwd: APP, encoding: 'utf8' }).split('\n').filter(Boolean);
    const withSecrets = files
      .filter(file => /\.(tsx?|js|json|toml|md)$/.test(file) && !isTest(file))
      .filter(file => /shp(at|rt|ua|ss)_[0-9a-f]{6}|eyJ[\w-]{10,}\.|-----BEGIN|AKIA[0-9A-Z]{16}/.test(read(file)));
    expect(withSecrets).toEqual([]);
  });
});
