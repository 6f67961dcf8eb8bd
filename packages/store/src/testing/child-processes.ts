import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, expect } from 'vitest';
import type { Order, StoreLocation, Task } from './child-main.ts';

export type { StoreLocation } from './child-main.ts';

/** Fixed clock for the child processes. */
export const childClock = () => Date.UTC(2026, 10, 21);

const CHILD = fileURLToPath(new URL('./child-main.ts', import.meta.url));

type Child = Awaited<ReturnType<typeof startChild>>;

/** Starts a child process and waits until it's ready for its first task. */
export async function startChild() {
  const child = spawn(process.execPath, ['--conditions=@compliance/source', CHILD], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface(child.stdout);
  const died = once(child, 'exit').then(([code]) => {
    throw new Error(`The child process exited with ${code} before it was ready.`);
  });
  await Promise.race([once(lines, 'line'), died]);
  died.catch(() => undefined);
  return {
    lines,
    closed: once(child, 'close'),
    begin(location: StoreLocation, task: Task, ids: readonly string[] = []) {
      const order: Order = { ...location, task, ids, now: childClock() };
      child.stdin.write(`${JSON.stringify(order)}\n`);
    },
    child,
  };
}

/**
 * Returns a function that starts a task in `count` child processes at the same time and resolves with the lines that
 * they print, one per process. All tests in a file share the processes, which must exit without an error after the last
 * test.
 */
export function useChildren() {
  const children: Child[] = [];
  afterAll(async () => {
    for (const { child } of children) child.stdin.end();
    for (const { closed } of children) expect(await closed).toEqual([0, null]);
  });
  return async (count: number, task: Task, location: StoreLocation, ids?: readonly string[]): Promise<string[]> => {
    const missing = Array.from({ length: Math.max(0, count - children.length) }, startChild);
    children.push(...(await Promise.all(missing)));
    const chosen = children.slice(0, count);
    const outcomes = chosen.map(async ({ lines, closed }) => {
      const [outcome] = await Promise.race([once(lines, 'line'), closed.then(([code]) => [`exit ${code}`])]);
      return outcome as string;
    });
    for (const { begin } of chosen) begin(location, task, ids);
    return await Promise.all(outcomes);
  };
}

/**
 * Runs a task three times, and each time kills its process with SIGKILL after about 60 lines. The task prints a line
 * for each completed step. Returns all lines.
 */
export async function killThreeTimes(task: Task, location: StoreLocation): Promise<string[]> {
  const said: string[] = [];
  for (let round = 1; round <= 3; round++) {
    const { child, lines, closed, begin } = await startChild();
    lines.on('line', line => {
      said.push(line);
      if (said.length === round * 60) child.kill('SIGKILL');
    });
    begin(location, task);
    expect(await closed).toEqual([null, 'SIGKILL']);
  }
  expect(said.length).toBeGreaterThanOrEqual(180);
  return said;
}
