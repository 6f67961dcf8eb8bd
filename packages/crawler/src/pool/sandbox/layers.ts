import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { inNamespaces, type NamespaceTool } from './namespaces.ts';

/** Kernel isolation: the program that creates the namespaces, or the reason that namespaces aren't available. */
export type KernelIsolation = { readonly tool: NamespaceTool } | { readonly missing: string };

/** Sandbox layers that depend on the system. All other layers are always active. */
export interface SandboxLayers {
  readonly kernel: KernelIsolation;
  /** Whether Node's permission model denies network access, which requires Node 25 or later. */
  readonly nodeDeniesNetwork: boolean;
}

const TOOLS: readonly NamespaceTool[] = ['unshare', 'bwrap'];
const PROBE_TIMEOUT_MS = 10_000;
const probe = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? './probe.ts' : './probe.js', import.meta.url));

let kernel: KernelIsolation | undefined;

/**
 * Determines which of the sandbox layers that depend on the system are available.
 *
 * @example inspectSandbox() // { kernel: { tool: 'unshare' }, nodeDeniesNetwork: true }
 */
export function inspectSandbox(): SandboxLayers {
  // Node versions with this option deny network access unless the option is set.
  return {
    kernel: inspectKernelIsolation(),
    nodeDeniesNetwork: process.allowedNodeEnvironmentFlags.has('--allow-net'),
  };
}

/**
 * Tries to isolate a process with each tool in turn. Returns the first tool that works, or the reasons that no tool
 * works. Caches the result for the life of this process.
 *
 * @example inspectKernelIsolation() // { tool: 'unshare' }
 */
export function inspectKernelIsolation(): KernelIsolation {
  kernel ??= tryTools();
  return kernel;
}

function tryTools(): KernelIsolation {
  if (process.platform !== 'linux') return { missing: 'only Linux has namespaces' };
  // An abstract socket is visible throughout its network namespace, and it accepts connections even while the probe
  // blocks this process.
  const socket = `\0compliance-${randomUUID()}`;
  const server = createServer().listen(socket);
  try {
    const reasons: string[] = [];
    for (const tool of TOOLS) {
      const result = runProbe(inNamespaces(tool, [probe], [probe, `${process.pid}`, socket.slice(1)]));
      if ('succeeded' in result && result.succeeded.length === 0) return { tool };
      const reason = 'failed' in result ? result.failed : `no isolation of ${result.succeeded.join(', ')}`;
      reasons.push(reason.startsWith(tool) ? reason : `${tool}: ${reason}`);
    }
    return { missing: reasons.join('; ') };
  } finally {
    server.close();
  }
}

function runProbe([command, ...args]: readonly string[]): { succeeded: string[] } | { failed: string } {
  const { error, status, stdout, stderr } = spawnSync(command!, args, {
    env: {} as NodeJS.ProcessEnv,
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
