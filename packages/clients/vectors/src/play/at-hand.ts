import { goRuntime, type Missing, nodeRuntimes, nodesAtHand, pythonRuntimes, type Runtime } from './runtimes.ts';

/** The three clients in the runtimes of this machine, and what is missing. */
export async function clientsAtHand(folder: string): Promise<{ runtimes: Runtime[]; missing: Missing[] }> {
  const found = await Promise.all([
    nodesAtHand().then(nodes => nodeRuntimes(folder, nodes)),
    pythonRuntimes(),
    goRuntime(folder),
  ]);
  const all = found.flat();
  return {
    runtimes: all.filter(each => 'run' in each),
    missing: all.filter(each => 'missing' in each),
  };
}

/** Whether a client can be told to stop from outside: a thread of Python cannot. */
export function canCancel(runtime: Runtime): boolean {
  return !runtime.name.endsWith(' sync');
}

/** One runtime for each form of each client: the newest. */
export function oneOfEachForm(runtimes: readonly Runtime[]): Runtime[] {
  const form = ({ name, agent }: Runtime) => (agent === 'python' ? name.split(' ').at(-1)! : agent);
  return [...new Map(runtimes.map(runtime => [form(runtime), runtime])).values()];
}
