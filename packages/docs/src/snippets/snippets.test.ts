import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startWithStorefronts } from '@compliance/client-vectors/storefronts';
import { afterAll, describe, expect, it } from 'vitest';
import { pagePaths, ROOT, readPage } from '../pages/pages.ts';
import { type Block, blocksOf, type Runner } from './blocks.ts';
import { type Reader, sitDown } from './reader.ts';

const pages = pagePaths().flatMap(path => {
  const blocks = blocksOf(readPage(path));
  return blocks.length > 0 ? [[path, blocks] as const] : [];
});

const service = await startWithStorefronts();
const key = await service.issue('all');
afterAll(service.stop);

/** What code asks of the machine beside Node, by the words that name it. */
const TOOLS = { sh: /\b(?:curl|openssl)\b/g, js: /(?!)/g, python: /^/g, go: /^/g };

/** The tools that a program needs and this machine has not; said in the name of what is skipped for it. */
function lackedBy(runner: Runner, code: string): string[] {
  const tools = new Set(
    Array.from(code.matchAll(TOOLS[runner]), ([word]) => word || { python: 'python3' }[runner as string] || runner),
  );
  return [...tools].filter(tool => spawnSync('sh', ['-c', `command -v ${tool}`]).status !== 0);
}

const leftOut = new Set<string>();
const skipped: string[] = [];

/** A guide of thirty commands takes half a minute, and several on a busy machine. */
const A_PAGE_MS = 300_000;

const manifest = (folder: string) => JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));

/** The lines that a program prints by its own comments: `console.log(x); // 42`, `print(x)  # 42`. One that ends in … is a beginning. */
function promised(code: string): string[] {
  return [...code.matchAll(/(?:console\.log\(.*\); \/\/|print\(.*\) {2}#) (.+)$/gm)].map(([, line]) =>
    line!.replace(/…$/, ''),
  );
}

const runnable = pages.flatMap(([path, blocks]) => {
  const told = blocks.filter(({ noRun }) => noRun === undefined);
  return told.length > 0 ? [[path, told] as const] : [];
});

describe.each(runnable)('the code of %s', (path, told) => {
  const files = told.filter(({ file }) => file !== undefined);
  const codeOf = (runner: Runner) =>
    told.filter(block => block.runner === runner && !block.file).map(({ code }) => code);

  async function read<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    const reader = await sitDown({ base: service.base, key });
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
    const lacks = lackedBy(runner, code.join('\n'));
    if (lacks.length > 0 && !process.env.CI) {
      skipped.push(path);
      it.skip(`runs, ${runner} (skipped: no ${lacks.join(', no ')} on this machine)`, () => {});
      continue;
    }
    it(`runs, ${runner}`, { timeout: A_PAGE_MS }, async () => {
      const { exitCode, output, secrets } = await read(async reader => {
        const outcome = runner === 'sh' ? await reader.shell(code) : await reader.program(runner, code);
        for (const line of reader.leftOut()) leftOut.add(`${path}: ${line}`);
        return { ...outcome, secrets: reader.secrets() };
      });
      expect(exitCode, output).toBe(0);
      for (const secret of secrets) expect(output).not.toContain(secret);
      for (const line of promised(code.join('\n'))) expect(output).toContain(line);
    });
  }
});

describe('the commands of every page', () => {
  const named = pages.flatMap(([path, blocks]) =>
    blocks.flatMap(({ runner, code }) =>
      runner === 'sh'
        ? [...code.matchAll(/(pnpm@\S+)((?: -s| --filter \S+| run)*) (\S+)/g)].map(match => [path, ...match])
        : [],
    ),
  );

  it.each(named)('%s: %s is a script that there is', (_, __, pnpm, options, script) => {
    expect(pnpm).toBe(manifest('.').packageManager);
    if (['install', 'exec', 'deploy'].includes(script!)) return;
    const [, name = 'portfolio-compliance'] = /--filter '?([\w@/-]+)/.exec(options!) ?? [];
    const { scripts } = ['.', 'shopify-app', 'packages/core', 'packages/cli']
      .map(manifest)
      .find(each => each.name === name)!;
    expect(Object.keys(scripts)).toContain(script);
  });
});

describe('what is not run', () => {
  it('is marked on its page, with the reason', () => {
    const marked = pages.flatMap(([path, blocks]) =>
      blocks.flatMap(({ noRun }: Block) => (noRun === undefined ? [] : `${path}: ${noRun}`)),
    );
    expect(marked).toMatchInlineSnapshot(`
      [
        "docs/guides/self-host.md: it installs into the system",
        "packages/store/README.md: it is part of a test",
        "shopify-app/stand-in/README.md: it is part of a test",
        "shopify-app/stand-in/README.md: it is part of a test",
      ]
    `);
  });

  it('is a command that another test runs, or that needs what a test has not', () => {
    const known = [
      'README.md: pnpm --filter shopify-app demo',
      'README.md: pnpm test',
      'docs/guides/add-a-list.md: pnpm gen',
      'docs/guides/add-a-rule.md: pnpm --filter @compliance/core corpus',
      'docs/guides/add-a-rule.md: pnpm gen',
      'docs/guides/many-processes.md: docker compose up --detach --wait --scale app=3',
      'docs/guides/self-host.md: docker compose cp app:/data/backups ./backups',
      'docs/guides/self-host.md: docker compose up --build --detach --wait',
      'docs/guides/self-host.md: docker compose up --detach --wait',
      'docs/guides/self-host.md: docker compose up --detach --wait database pdfs',
      'shopify-app/README.md: pnpm --filter shopify-app build',
      'shopify-app/README.md: pnpm --filter shopify-app demo',
      'shopify-app/README.md: pnpm --filter shopify-app start',
    ].filter(line => !skipped.some(path => line.startsWith(`${path}: `)));
    expect([...leftOut].sort()).toEqual(known);
  });
});
