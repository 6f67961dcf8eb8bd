import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SCHEMATHESIS = '4.32.5';
const CACHE = fileURLToPath(new URL(`../../../../node_modules/.cache/schemathesis-${SCHEMATHESIS}`, import.meta.url));
const COMMAND = join(CACHE, 'bin', 'schemathesis');
/** Exit code for a process that was terminated by a signal. */
const STOPPED = 128;
/** Options for each installation step. The timeout prevents an unreachable package registry from blocking the run. */
const QUIET = { stdio: 'ignore', timeout: 180_000 } as const;

/**
 * Installs Schemathesis in a separate folder, unless it's already installed. Returns null on success, or the reason
 * that the installation failed.
 */
export function installSchemathesis(): string | null {
  if (existsSync(COMMAND)) return null;
  try {
    execFileSync('python3', ['-c', 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))'], QUIET);
  } catch {
    return 'Python 3.11 or later with the venv module is required';
  }
  try {
    execFileSync('python3', ['-m', 'venv', '--clear', CACHE], QUIET);
    // Don't precompile the installed modules, because Python compiles only the modules that it imports. Compiling every
    // module takes longer than most runs.
    const options = ['--quiet', '--no-compile', '--disable-pip-version-check'];
    execFileSync(join(CACHE, 'bin', 'pip'), ['install', ...options, `schemathesis==${SCHEMATHESIS}`], QUIET);
    return null;
  } catch {
    return "Schemathesis couldn't be installed from PyPI";
  }
}

/**
 * Runs all of Schemathesis's phases and checks against an OpenAPI document. Writes every request, response, and failed
 * check to `report` as NDJSON. Continues after a failed check so that a reviewed failure doesn't hide others. Returns
 * the exit code: 0 if all checks passed, 1 if a check failed, or another code if Schemathesis couldn't finish.
 */
export async function runSchemathesis(
  document: string,
  { report, cwd, args }: { report: string; cwd: string; args: readonly string[] },
): Promise<number> {
  const options = ['--checks', 'all', '--phases', 'examples,coverage,fuzzing,stateful', '--mode', 'all'];
  const reporting = ['--continue-on-failure', '--report', 'ndjson', '--report-ndjson-path', report, '--no-color'];
  const child = spawn(COMMAND, ['run', document, ...options, ...reporting, ...args], { cwd, stdio: 'inherit' });
  const [code] = await once(child, 'close');
  return code ?? STOPPED;
}
