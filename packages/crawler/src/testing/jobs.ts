/** Well-behaved and malicious jobs for the pool tests. */

export const double = (value: number): number => value * 2;

export const later = async (ms: number): Promise<string> => {
  await new Promise(done => setTimeout(done, ms));
  return 'done';
};

export const echo = (value: unknown): unknown => value;

export const loopForever = (): never => {
  for (;;);
};

export const backtrack = (): boolean => /^(a+)+$/.test(`${'a'.repeat(60)}b`);

export const hoardObjects = (): never => {
  const kept: unknown[] = [];
  for (;;) kept.push({ at: kept.length, in: [kept.length] });
};

/**
 * Allocates more memory in one step than the limit allows. In a thread instead of a process, this would terminate the
 * entire process.
 */
export const hoardAtOnce = (): never => {
  const kept: unknown[] = [];
  for (;;) kept.push(new Array(50_000_000).fill(1.5));
};

export const leave = (): never => process.exit(3);

/** Succeeds, but then terminates the worker process while the next job is running. */
export const leaveSoon = (): void => {
  setTimeout(() => process.exit(3), 50);
};

export const fail = (): never => {
  throw new TypeError('bad page');
};

export const recurse = (depth: number): number => recurse(depth + 1) + 1;

export const environment = (): string[] => Object.keys(process.env);

export const writeFile = async (path: string): Promise<void> => {
  const { writeFile } = await import('node:fs/promises');
  await writeFile(path, 'x');
};

export const startProcess = async (): Promise<void> => {
  const { execFileSync } = await import('node:child_process');
  execFileSync('true');
};

/**
 * Random ID of this process. The PID can't identify the process, because every worker in a PID namespace has the same
 * `process.pid`.
 */
const identity = crypto.randomUUID();

export const processId = (): string => identity;
