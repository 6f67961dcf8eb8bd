// Uses downloaded tools to check that the Python package and the Go module can be published.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const clients = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'compliance-publishable-'));
const run = (command: string, args: string[], cwd = folder) => execFileSync(command, args, { cwd, stdio: 'inherit' });

try {
  run('python3', ['-m', 'venv', 'tools']);
  const python = join(folder, 'tools/bin/python');
  run(python, ['-m', 'pip', 'install', '--quiet', 'build==1.6.1', 'twine==6.2.0']);
  run(python, ['-m', 'build', '--outdir', join(folder, 'dist'), join(clients, 'python')]);
  run('sh', ['-c', `${python} -m twine check --strict dist/*`]);
  run('python3', ['-m', 'venv', 'user']);
  run('sh', ['-c', 'user/bin/pip install --quiet --no-index dist/*.whl']);
  run(join(folder, 'user/bin/python'), ['-c', 'import compliance; print(compliance.__version__)']);
  run('go', ['run', 'honnef.co/go/tools/cmd/staticcheck@v0.7.0', './...'], join(clients, 'go'));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
