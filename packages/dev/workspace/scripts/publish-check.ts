// Checks everything that a release publishes (npm packages, the Python package, and the Go module), the workflows, and
// the ownership of the npm scope. Doesn't publish anything. Prints one line per check, and exits with code 1 if a check
// fails.
import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownershipOf } from '../src/shipping/ownership.ts';
import { pnpm, REPOSITORY_ROOT } from '../src/shipping/pnpm.ts';
import { PUBLISHED } from '../src/shipping/published.ts';
import { readNames } from '../src/shipping/rename.ts';

const PACKAGES = join(REPOSITORY_ROOT, 'packages');
const folder = mkdtempSync(join(tmpdir(), 'compliance-publish-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

/** Runs a command and returns its output. @throws Error that contains the output if the command fails */
function run(command: string, args: readonly string[], cwd = folder): string {
  try {
    return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as { stdout?: string; stderr?: string; message: string };
    throw new Error(`${message.split('\n')[0]}\n${stdout}${stderr}`);
  }
}

/**
 * Packs an npm package and publishes its tarball as a dry run. npm attests the provenance only in GitHub Actions, where
 * the workflow has an identity.
 */
function checkNpm(place: string): string {
  const out = pnpm(['pack', '--json', '--pack-destination', folder], join(PACKAGES, place));
  const { filename } = JSON.parse(out.slice(out.indexOf('{'))) as { filename: string };
  const provenance = process.env.ACTIONS_ID_TOKEN_REQUEST_URL ? ['--provenance'] : [];
  const published = run('npm', ['publish', '--dry-run', '--json', '--access', 'public', ...provenance, filename]);
  const { id, size } = Object.values(JSON.parse(published) as Record<string, Dry>)[0]!;
  if (typeof id !== 'string') throw new Error(`npm rejected the package:\n${published}`);
  return `${id}, ${Math.ceil(size / 1024)} KB${provenance.length > 0 ? ', with provenance' : ''}`;
}

/** Part of the result of `npm publish --json` for one package. */
interface Dry {
  id: string;
  size: number;
}

/** Builds the Python package, checks its metadata, and imports it in a new virtual environment. */
function checkPython(): string {
  run('python3', ['-m', 'venv', 'tools']);
  const python = join(folder, 'tools/bin/python');
  run(python, ['-m', 'pip', 'install', '--quiet', 'build==1.6.1', 'twine==6.2.0']);
  run(python, ['-m', 'build', '--outdir', 'dist', join(PACKAGES, 'clients/python')]);
  const files = globSync('dist/*', { cwd: folder });
  run(python, ['-m', 'twine', 'check', '--strict', ...files]);
  run('python3', ['-m', 'venv', 'user']);
  const wheel = files.find(file => file.endsWith('.whl'))!;
  run('user/bin/pip', ['install', '--quiet', '--no-index', wheel]);
  const version = run('user/bin/python', ['-c', 'import compliance; print(compliance.__version__)']).trim();
  return `portfolio-compliance@${version}, ${files.length} files`;
}

/** Checks the Go module's code, and makes sure that the module path matches the major version. */
function checkGo(): string {
  const cwd = join(PACKAGES, 'clients/go');
  run('go', ['vet', './...'], cwd);
  run('go', ['run', 'honnef.co/go/tools/cmd/staticcheck@v0.7.0', './...'], cwd);
  const path = run('go', ['list', '-m'], cwd).trim();
  const [, version, major] =
    /compliance-go\/((\d+)\.\d+\.\d+)"/.exec(readFileSync(join(cwd, 'exchange.go'), 'utf8')) ?? [];
  if (!version) throw new Error('The version in exchange.go isn’t a semantic version.');
  const suffix = Number(major) > 1 ? `/v${major}` : '';
  if (!path.endsWith(`/compliance-go${suffix}`))
    throw new Error(`The path ${path} must end with /compliance-go${suffix}.`);
  return `${path}@v${version}`;
}

/**
 * Checks who owns the npm scope by looking up one of its packages. If the registry doesn't have that package, the owner
 * remains unknown, but the check doesn't fail.
 */
function checkNpmScope(): string {
  const { scope, repository } = readNames(REPOSITORY_ROOT);
  const name = `${scope}/core`;
  const { stdout } = spawnSync('npm', ['view', name, 'name', 'repository.url', '--json'], { encoding: 'utf8' });
  const { status, message } = ownershipOf(name, stdout, repository);
  if (status === 'taken') throw new Error(message);
  return status === 'ours' ? message : `${UNVERIFIED}${message}`;
}

/** Prefix for the outcome of an inconclusive check. */
const UNVERIFIED = 'unverified: ';

function checkWorkflows(): string {
  run('go', ['run', 'github.com/rhysd/actionlint/cmd/actionlint@v1.7.12'], REPOSITORY_ROOT);
  return `${globSync('.github/workflows/*.yml', { cwd: REPOSITORY_ROOT }).length} workflows`;
}

const checks: [name: string, check: () => string][] = [
  ['npm scope', checkNpmScope],
  ['workflows', checkWorkflows],
  // The CLI is compiled against the built client, so the client is checked first.
  ...['clients/node', ...PUBLISHED, 'tariff-data'].map((place): [string, () => string] => [
    place,
    () => checkNpm(place),
  ]),
  ['clients/python', checkPython],
  ['clients/go', checkGo],
];
const [filter = ''] = process.argv.slice(2);
for (const [name, check] of checks.filter(([name]) => name.includes(filter))) {
  let outcome: string;
  try {
    const found = check();
    outcome = found.startsWith(UNVERIFIED) ? found : `ok: ${found}`;
  } catch (error) {
    outcome = `FAILED: ${(error as Error).message}`;
    process.exitCode = 1;
  }
  process.stdout.write(`${name.padEnd(16)} ${outcome}\n`);
}
