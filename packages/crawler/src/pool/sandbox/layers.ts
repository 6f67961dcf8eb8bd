import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { inNamespaces, type NamespaceTool } from './namespaces.ts';

/** Layers of the sandbox that depend on the system. All other layers are always active. */
export interface SandboxLayers {
  /** Isolation by the kernel: the program that creates the namespaces, or why there are none. */
  readonly kernel: { readonly tool: NamespaceTool } | { readonly missing: string };
  /** Whether Node denies network access to the worker. Node 24 and earlier can't deny it. */
  readonly nodeDeniesNetwork: boolean;
}

const TOOLS: readonly NamespaceTool[] = ['unshare', 'bwrap'];
const PROBE_TIMEOUT_MS = 10_000;

const probe = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? './probe.ts' : './probe.js', import.meta.url));

let inspected: SandboxLayers | undefined;

/**
 * Tries each layer of the sandbox once per process, and returns the layers that work. This takes about 0.2 seconds.
 *
 * @example inspectSandbox() // { kernel: { tool: 'unshare' }, nodeDeniesNetwork: true }
 */
export function inspectSandbox(): SandboxLayers {
  inspected ??= { kernel: inspectKernel(), nodeDeniesNetwork: nodeDeniesNetwork() };
  return inspected;
}

function inspectKernel(): SandboxLayers['kernel'] {
  if (process.platform !== 'linux') return { missing: 'only Linux has namespaces' };
  const reasons: string[] = [];
  for (const tool of TOOLS) {
    const result = runProbe(inNamespaces(tool, [probe], [probe, `${process.pid}`]));
    if ('succeeded' in result && result.succeeded.length === 0) return { tool };
    reasons.push(
      'failed' in result ? `${tool}: ${result.failed}` : `${tool} doesn't isolate ${result.succeeded.join(', ')}`,
    );
  }
  return { missing: reasons.join('; ') };
}

function nodeDeniesNetwork(): boolean {
  const result = runProbe([process.execPath, '--permission', `--allow-fs-read=${probe}`, probe, `${process.pid}`]);
  return 'succeeded' in result && !result.succeeded.includes('network');
}

function runProbe([command, ...args]: readonly string[]): { succeeded: string[] } | { failed: string } {
  const { error, status, stdout, stderr } = spawnSync(command!, args, {
    env: {},
    cwd: '/',
    encoding: 'utf8',
    timeout: PROBE_TIMEOUT_MS,
    killSignal: 'SIGKILL',
  });
  try {
    if (status === 0) return { succeeded: JSON.parse(stdout) };
  } catch {}
  return { failed: error?.message ?? stderr.trim().split('\n').at(0)! };
}
