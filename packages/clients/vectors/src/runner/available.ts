import type { Case } from './case.ts';
import { goRuntime, installedNodes, type Missing, nodeRuntimes, pythonRuntimes, type Runtime } from './runtimes.ts';

/**
 * Returns the clients for the installed Node versions, for the oldest and newest installed Python versions, and for the
 * installed Go version. Also returns a list of missing runtimes.
 */
export async function availableClients(folder: string): Promise<{ runtimes: Runtime[]; missing: Missing[] }> {
  const found = await Promise.all([
    installedNodes().then(nodes => nodeRuntimes(folder, nodes)),
    pythonRuntimes(),
    goRuntime(folder),
  ]);
  const all = found.flat();
  return {
    runtimes: all.filter(each => 'run' in each),
    missing: all.filter(each => 'missing' in each),
  };
}

/**
 * Checks whether a client can run a test case. The sync Python client can't cancel calls, because Python threads can't
 * be canceled. The Go client can't pass arguments of the wrong type, because the compiler rejects them.
 */
export function canRun(runtime: Runtime, { options, isWrongType }: Case): boolean {
  if (options?.cancelAfter !== undefined && runtime.name.endsWith(' sync')) return false;
  return !(isWrongType && runtime.agent === 'go');
}

/** Returns the newest runtime for each client variant. */
export function newestOfEachVariant(runtimes: readonly Runtime[]): Runtime[] {
  const variant = ({ name, agent }: Runtime) => (agent === 'python' ? name.split(' ').at(-1)! : agent);
  return [...new Map(runtimes.map(runtime => [variant(runtime), runtime])).values()];
}
