import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { Order, StoreLocation, Task } from './child-main.ts';

export type { StoreLocation } from './child-main.ts';

/** Fixed clock for the child processes. */
export const childClock = () => Date.UTC(2026, 10, 21);

const CHILD = fileURLToPath(new URL('./child-main.ts', import.meta.url));

type Child = Awaited<ReturnType<typeof startChild>>;

/** Starts a child process for a task and waits until it's ready. */
export async function startChild(task: Task) {
  const child = spawn(process.execPath, ['--conditions=@compliance/source', CHILD, task], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface(child.stdout);
  const died = once(child, 'exit').then(([code]) => {
    throw new Error(`The child process for ${task} exited with ${code} before it was ready.`);
  });
  await Promise.race([once(lines, 'line'), died]);
  died.catch(() => undefined);
  return {
    lines,
    closed: once(child, 'close'),
    begin(location: StoreLocation, ids: readonly string[] = []) {
      const order: Order = { ...location, ids, now: childClock() };
      child.stdin.write(`${JSON.stringify(order)}\n`);
    },
    child,
  };
}

export async function startChildren(count: number, task: Task): Promise<Child[]> {
  return await Promise.all(Array.from({ length: count }, () => startChild(task)));
}

/** Starts the task in all child processes at the same time and returns the line that each process prints. */
export async function runTogether(
  children: Child[],
  location: StoreLocation,
  ids?: readonly string[],
): Promise<string[]> {
  const outcomes = children.map(async ({ lines, closed }) => {
    const [outcome] = await Promise.race([once(lines, 'line'), closed.then(([code]) => [`exit ${code}`])]);
    return outcome as string;
  });
  for (const child of children) child.begin(location, ids);
  return await Promise.all(outcomes);
}

/** Closes the child processes' stdin and checks that the processes exit without an error. */
export async function endAll(children: Child[]): Promise<void> {
  for (const { child } of children) child.stdin.end();
  for (const { closed } of children) expect(await closed).toEqual([0, null]);
}

/**
 * Runs a task three times. The task prints a line for each completed step, and its process is killed with SIGKILL after about 60
 * lines.
 */
export async function killThreeTimes(task: Task, location: StoreLocation): Promise<string[]> {
  const said: string[] = [];
  for (let round = 1; round <= 3; round++) {
    const { child, lines, closed, begin } = await startChild(task);
    lines.on('line', line => {
      said.push(line);
      if (said.length === round * 60) child.kill('SIGKILL');
    });
    begin(location);
    expect(await closed).toEqual([null, 'SIGKILL']);
  }
  expect(said.length).toBeGreaterThanOrEqual(180);
  return said;
}
