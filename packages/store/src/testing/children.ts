import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { Order, Place, Task } from './child.ts';

export type { Place } from './child.ts';

/** The children's clock, which stands still. */
export const childClock = () => Date.UTC(2026, 10, 21);

const CHILD = fileURLToPath(new URL('./child.ts', import.meta.url));

type Child = Awaited<ReturnType<typeof startChild>>;

/** Starts a process that does a task when it is told where; resolves when it waits for that. */
export async function startChild(task: Task) {
  const child = spawn(process.execPath, ['--conditions=@compliance/source', CHILD, task], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface(child.stdout);
  const died = once(child, 'exit').then(([code]) => {
    throw new Error(`The process for ${task} ended with ${code} before it began.`);
  });
  await Promise.race([once(lines, 'line'), died]);
  died.catch(() => undefined);
  return {
    lines,
    closed: once(child, 'close'),
    begin(place: Place, ids: readonly string[] = []) {
      const order: Order = { ...place, ids, now: childClock() };
      child.stdin.write(`${JSON.stringify(order)}\n`);
    },
    child,
  };
}

export async function startChildren(count: number, task: Task): Promise<Child[]> {
  return await Promise.all(Array.from({ length: count }, () => startChild(task)));
}

/** Sets all children off at once and gives the line that each ends with. */
export async function together(children: Child[], place: Place, ids?: readonly string[]): Promise<string[]> {
  const outcomes = children.map(async ({ lines, closed }) => {
    const [outcome] = await Promise.race([once(lines, 'line'), closed.then(([code]) => [`exit ${code}`])]);
    return outcome as string;
  });
  for (const child of children) child.begin(place, ids);
  return await Promise.all(outcomes);
}

/** Lets children end by themselves. */
export async function endAll(children: Child[]): Promise<void> {
  for (const { child } of children) child.stdin.end();
  for (const { closed } of children) expect(await closed).toEqual([0, null]);
}

/** Runs a task that says a line for each thing done, kills it with -9 within the round's 60 lines, three times over. */
export async function killThrice(task: Task, place: Place): Promise<string[]> {
  const said: string[] = [];
  for (let round = 1; round <= 3; round++) {
    const { child, lines, closed, begin } = await startChild(task);
    lines.on('line', line => {
      said.push(line);
      if (said.length === round * 60) child.kill('SIGKILL');
    });
    begin(place);
    expect(await closed).toEqual([null, 'SIGKILL']);
  }
  expect(said.length).toBeGreaterThanOrEqual(180);
  return said;
}
