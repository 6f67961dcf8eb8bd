import { worker, workerEmit } from 'workerpool';

/** Entry point of a worker process. Imports a job's module and runs one of its functions. */
export async function run(module: string, name: string, input: unknown): Promise<unknown> {
  const functions: Record<string, (input: unknown) => unknown> = await import(module);
  const job = functions[name];
  if (typeof job !== 'function') throw new Error(`no function ${name} in ${module}`);
  workerEmit('started');
  return job(input);
}

worker({ run });
