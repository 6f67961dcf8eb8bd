import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startWithStorefronts } from '@compliance/client-vectors/storefronts';
import { afterAll, describe, expect, it } from 'vitest';
import { pagePaths, REPOSITORY_ROOT, readMarkdownPage } from '../pages/pages.ts';
import { blocksOf, type CodeBlock, type Runner } from './blocks.ts';
import { createReader, type Reader } from './reader.ts';

const pages = pagePaths().flatMap(path => {
  const blocks = blocksOf(readMarkdownPage(path));
  return blocks.length > 0 ? [[path, blocks] as const] : [];
});

const service = await startWithStorefronts();
const key = await service.issue('all');
afterAll(service.stop);

/** Patterns for the names of tools that code blocks need in addition to Node. */
const TOOLS = { sh: /\b(?:curl|openssl)\b/g, js: /(?!)/g, python: /^/g, go: /^/g };

/**
 * Returns the tools that a program needs but that aren't available on this machine. The titles of skipped tests name
 * the missing tools.
 */
function missingTools(runner: Runner, code: string): string[] {
  const tools = new Set(
    Array.from(code.matchAll(TOOLS[runner]), ([word]) => word || { python: 'python3' }[runner as string] || runner),
  );
  return [...tools].filter(tool => spawnSync('sh', ['-c', `command -v ${tool}`]).status !== 0);
}

const leftOut = new Set<string>();
const skipped: string[] = [];

/**
 * Timeout for running the code on a page. A guide with 30 commands takes half a minute, or several minutes on a busy
 * machine.
 */
const PAGE_TIMEOUT_MS = 300_000;

const manifest = (folder: string) => JSON.parse(readFileSync(join(REPOSITORY_ROOT, folder, 'package.json'), 'utf8'));

/**
 * Returns the expected output from comments such as `console.log(x); // 42`. If a value ends in an ellipsis (…), only
 * the text before the ellipsis has to match.
 */
function expectedOutput(code: string): string[] {
  return [...code.matchAll(/(?:console\.log\(.*\); \/\/|print\(.*\) {2}#) (.+)$/gm)].map(([, line]) =>
    line!.replace(/…$/, ''),
  );
}

const runnable = pages.flatMap(([path, blocks]) => {
  const active = blocks.filter(({ noRun }) => noRun === undefined);
  return active.length > 0 ? [[path, active] as const] : [];
});

describe.each(runnable)('code on %s', (path, active) => {
  const files = active.filter(({ file }) => file !== undefined);
  const codeOf = (runner: Runner) =>
    active.filter(block => block.runner === runner && !block.file).map(({ code }) => code);

  async function read<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    const reader = await createReader({ base: service.base, key });
    try {
      for (const { file, code } of files) writeFileSync(join(reader.folder, file!), code);
      return await work(reader);
    } finally {
      reader.close();
    }
  }

  for (const runner of ['sh', 'js', 'python', 'go'] as const) {
    const code = codeOf(runner);
    if (code.length === 0) continue;
    const missing = missingTools(runner, code.join('\n'));
    if (missing.length > 0 && !process.env.CI) {
      skipped.push(path);
      it.skip(`runs the page’s ${runner} code blocks without errors (skipped: no ${missing.join(', no ')} on this machine)`, () => {});
      continue;
    }
    it(`runs the page’s ${runner} code blocks without errors`, { timeout: PAGE_TIMEOUT_MS }, async () => {
      const { exitCode, output } = await read(async reader => {
        const outcome = runner === 'sh' ? await reader.shell(code) : await reader.program(runner, code);
        for (const line of reader.leftOut()) leftOut.add(`${path}: ${line}`);
        return outcome;
      });
      expect(exitCode, output).toBe(0);
      for (const line of expectedOutput(code.join('\n'))) expect(output).toContain(line);
    });
  }
});

describe('pnpm commands in the documentation', () => {
  const named = pages.flatMap(([path, blocks]) =>
    blocks.flatMap(({ runner, code }) =>
      runner === 'sh'
        ? [...code.matchAll(/(pnpm@\S+)((?: -s| --filter \S+| run)*) (\S+)/g)].map(match => [path, ...match])
        : [],
    ),
  );

  it.each(named)('uses only existing package scripts in the commands on %s: %s', (_, __, pnpm, options, script) => {
    expect(pnpm).toBe(manifest('.').packageManager);
    if (['install', 'exec', 'deploy'].includes(script!)) return;
    const [, name = 'portfolio-compliance'] = /--filter '?([\w@/-]+)/.exec(options!) ?? [];
    const { scripts } = ['.', 'shopify-app', 'packages/core', 'packages/cli']
      .map(manifest)
      .find(each => each.name === name)!;
    expect(Object.keys(scripts)).toContain(script);
  });
});

describe('skipped code blocks', () => {
  it('marks each skipped code block with a reason', () => {
    const marked = pages.flatMap(([path, blocks]) =>
      blocks.flatMap(({ noRun }: CodeBlock) => (noRun === undefined ? [] : `${path}: ${noRun}`)),
    );
    expect(marked).toMatchInlineSnapshot(`
      [
        "docs/guides/certify-childrens-products.md: it needs the data of a service",
        "docs/guides/deploy-the-shopify-app.md: it installs the app on a server",
        "docs/guides/deploy-the-shopify-app.md: it starts a service",
        "docs/guides/efiling.md: it needs a service",
        "docs/guides/efiling.md: it needs a service",
        "docs/guides/jobs.md: needs a Parquet file",
        "docs/guides/jobs.md: needs a browser",
        "docs/guides/jobs.md: needs a file on a public server",
        "docs/guides/prove-certificates.md: it needs a service",
        "docs/guides/prove-certificates.md: it needs a service",
        "docs/guides/prove-certificates.md: it needs a hardware security module",
        "docs/guides/prove-certificates.md: it needs a service",
        "docs/guides/self-host.md: pnpm guide runs it",
        "docs/guides/self-host.md: it needs Docker",
        "docs/guides/self-host.md: it changes the firewall",
        "docs/guides/self-host.md: pnpm guide runs it",
        "docs/guides/self-host.md: it depends on the release's folder",
        "docs/guides/self-host.md: it needs a public hostname",
        "docs/guides/self-host.md: pnpm guide runs it",
        "docs/guides/self-host.md: pnpm guide runs it",
        "docs/guides/self-host.md: pnpm guide runs it",
        "docs/guides/self-host.md: pnpm guide runs it",
        "docs/guides/self-host.md: pnpm guide runs it",
        "docs/guides/self-host.md: pnpm guide runs it",
        "examples/pkcs11-signer/README.md: it needs a hardware security module",
        "packages/chromium/README.md: it unpacks a browser",
        "packages/clients/node/README.md: it needs the package undici",
        "packages/dev/fake-shopify/README.md: it is part of a test",
        "packages/dev/fake-shopify/README.md: it is part of a test",
        "packages/renderer/README.md: it starts a browser",
        "packages/signing/README.md: it needs a key",
        "packages/store/README.md: it is part of a test",
      ]
    `);
  });

  it('skips only commands that another test runs or that need resources unavailable to tests', () => {
    const known = [
      'README.md: pnpm --filter shopify-app demo',
      'README.md: pnpm test',
      'docs/guides/add-a-list.md: pnpm gen',
      'docs/guides/add-a-rule.md: pnpm --filter @compliance/core corpus',
      'docs/guides/add-a-rule.md: pnpm gen',
      'docs/guides/add-a-rule.md: pnpm new rule google_placeholder_id',
      'docs/guides/scaling.md: docker compose up --detach --wait --scale app=3',
      'shopify-app/README.md: pnpm --filter shopify-app build',
      'shopify-app/README.md: pnpm --filter shopify-app demo',
      'shopify-app/README.md: pnpm --filter shopify-app start',
    ].filter(line => !skipped.some(path => line.startsWith(`${path}: `)));
    expect([...leftOut].sort()).toEqual(known);
  });
});
