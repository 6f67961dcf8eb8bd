export { withCpuBudget } from './cpu-budget.ts';
export {
  createPool,
  type JobRunner,
  type Pool,
  type PoolCaller,
  type PoolOptions,
  type PoolQueue,
  siblingModule,
} from './pool.ts';
export { PoolError, type PoolReason } from './pool-error.ts';
export {
  type BrowserNamespaces,
  inBrowserNamespaces,
  inspectKernelIsolation,
  inspectSandbox,
  type KernelIsolation,
  type NamespaceTool,
  type SandboxLayers,
  type SandboxWarning,
  sandboxWarning,
} from './sandbox/index.ts';
export type { Lane, LaneState } from './scheduler/scheduler.ts';
export { createFrameReader, frame } from './worker-process/frame.ts';
