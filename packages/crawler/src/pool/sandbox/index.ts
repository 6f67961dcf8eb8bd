export { inspectSandbox, type SandboxLayers } from './layers.ts';
export { type WorkerLaunch, workerLaunch } from './worker-launch.ts';
