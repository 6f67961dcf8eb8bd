export { createPool, type Pool, type PoolOptions, siblingModule } from './pool.ts';
export { PoolError, type PoolReason } from './pool-error.ts';
export {
  inspectSandbox,
  type KernelIsolation,
  type SandboxLayers,
  type SandboxWarning,
  sandboxWarning,
} from './sandbox/index.ts';
