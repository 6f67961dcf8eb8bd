import { setPriority } from 'node:os';
import { worker } from 'workerpool';

/** Priority of a worker process. The service itself has priority 0, so it responds while the workers use every core. */
const WORKER_PRIORITY = 5;

/** Entry point of a worker process. Imports a job's module and runs one of its functions. */
export async function run(module: string, name: string, input: unknown): Promise<unknown> {
  const functions: Record<string, (input: unknown) => unknown> = await import(module);
  const job = functions[name];
  if (typeof job !== 'function') throw new Error(`no function ${name} in ${module}`);
  return job(input);
}

setPriority(WORKER_PRIORITY);
worker({ run });
