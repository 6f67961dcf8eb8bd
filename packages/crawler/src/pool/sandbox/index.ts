export { inspectKernelIsolation, inspectSandbox, type KernelIsolation, type SandboxLayers } from './layers.ts';
export { type BrowserNamespaces, inBrowserNamespaces, type NamespaceTool } from './namespaces.ts';
export { type SandboxWarning, sandboxWarning } from './sandbox-warning.ts';
export { type WorkerLaunch, workerLaunch } from './worker-launch.ts';
