import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const APP = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(APP, file), 'utf8');
const isTest = (file: string) => /\.(test|states)\.tsx?$|\/testing\//.test(file);
/** The code without its comments. */
const code = (file: string) => read(file).replace(/^ *(\/\*\*|\*|\/\/).*$/gm, '');
const product = globSync('{app,src}/**/*.{ts,tsx}', { cwd: APP }).filter(file => !isTest(file));
const routes = globSync('app/routes/*', { cwd: APP }).filter(file => !isTest(file));

describe('routes', () => {
  it('are under the gate, but for three that are open to all', () => {
    const open = routes.map(file => basename(file)).filter(name => !/^app(\.|$)/.test(name));
    expect(open.sort()).toEqual(['_index.tsx', 'auth.login.tsx', 'webhooks.ts']);
  });

  it.each(routes)('%s only puts a service and a screen together: under sixty lines', file => {
    expect(read(file).split('\n').length).toBeLessThan(60);
  });

  it.each(routes)('%s asks for the merchant in its context, never for a shop that an address or a form names', file => {
    expect(read(file)).not.toMatch(/get\(\s*['"`](shop|host|id_token|hmac)['"`]\s*\)/);
  });

  it.each(routes)('%s makes no answer out of data, and none that the next framework has not', file => {
    const text = read(file).replaceAll('Response.json(', '');
    expect(text).not.toMatch(/\bjson\(|\bdefer\(|new Response\(\s*`/);
  });
});

describe('the app', () => {
  it('writes nobody’s text into a page as markup', () => {
    expect(
      product.filter(file => /dangerouslySetInnerHTML|innerHTML|document\.write|\beval\(/.test(read(file))),
    ).toEqual([]);
  });

  it('asks nobody to type in the domain of a shop', () => {
    const asking = product.filter(file => file.endsWith('.tsx') && /myshopify/.test(read(file)));
    const messages = globSync('app/i18n/locales/*/*.json', { cwd: APP }).filter(file => /myshopify/.test(read(file)));
    expect([...asking, ...messages]).toEqual([]);
  });

  it('does not change what Shopify checks, or which Shopify it speaks to, by a setting', () => {
    const settings = product.filter(file => /process\.env/.test(code(file)));
    // The one says which form of React it is.
    expect(settings.sort()).toEqual(['src/as-production.ts', 'src/main.ts']);
    expect(
      product.filter(file =>
        /isTesting|adminApiAccessToken|setAbstractFetchFunc|stand-in|\bstandIn\b/.test(code(file)),
      ),
    ).toEqual([]);
  });

  it('holds no secret', () => {
    const files = execFileSync('git', ['ls-files', '.'], { cwd: APP, encoding: 'utf8' }).split('\n').filter(Boolean);
    const holding = files
      .filter(file => /\.(tsx?|js|json|toml|md)$/.test(file) && !isTest(file) && !file.startsWith('stand-in/'))
      .filter(file => /shp(at|rt|ua|ss)_[0-9a-f]{6}|eyJ[\w-]{10,}\.|-----BEGIN|AKIA[0-9A-Z]{16}/.test(read(file)));
    expect(holding).toEqual([]);
  });
});
