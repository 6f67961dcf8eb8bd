import type { SandboxLayers } from './layers.ts';

/** Warning about missing sandbox layers: the risk, and instructions for adding the layers, both in full sentences. */
export interface SandboxWarning {
  readonly found: string;
  readonly todo: string;
}

/**
 * Describes the risk if the kernel doesn't isolate worker processes. Returns null if the kernel isolates them, because
 * kernel isolation also denies network access.
 *
 * @example sandboxWarning({ kernel: { tool: 'unshare' }, nodeDeniesNetwork: true }) // null
 */
export function sandboxWarning({ kernel, nodeDeniesNetwork }: SandboxLayers): SandboxWarning | null {
  if ('tool' in kernel) return null;
  const network = nodeDeniesNetwork
    ? "Node's permission model still denies access to files, other programs, and the network."
    : `Node ${process.versions.node} can't deny network access, so a page that takes over the parser could reach your network.`;
  const upgrade = nodeDeniesNetwork ? '' : " If user namespaces aren't available, use Node 26 or later.";
  return {
    found: `Untrusted pages are parsed without kernel isolation (${kernel.missing}). ${network}`,
    todo: `Run the service on Linux with unprivileged user namespaces enabled. See "Isolate the parser" in docs/guides/self-host.md.${upgrade}`,
  };
}
