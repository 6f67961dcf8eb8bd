/** A resource that steps share: a core, a process's main thread, or a database writer. */
type Resource = 'core' | 'thread' | 'writer';

/** A task step that holds one unit of each listed resource. A step without resources only waits. */
export interface SimulatedStep {
  readonly holds: readonly Resource[];
  readonly ms: number;
}

/** A task, such as a part of a job. Times are in milliseconds. */
export interface SimulatedTask {
  readonly arrivesAt: number;
  readonly steps: readonly SimulatedStep[];
}

/** A system of processes that execute tasks. */
export interface System {
  readonly processes: number;
  /** Number of tasks that a process works on concurrently. */
  readonly lanes: number;
  /** Number of cores that the processes and the database share. */
  readonly cores: number;
  /** Number of transactions that can write to the database at the same time. */
  readonly writers: number;
}

/** Outcome of a simulation. Times are in milliseconds. */
export interface Simulation {
  /** Time when the last task ends. */
  readonly endsAt: number;
  /** Time from each task's arrival to its end, in the order of the given tasks. */
  readonly times: readonly number[];
  /** Utilization of each resource until `endsAt`, from 0 to 1. */
  readonly use: Readonly<Record<Resource, number>>;
}

interface RunningTask {
  readonly process: number;
  readonly task: SimulatedTask;
  readonly index: number;
  step: number;
}

/**
 * Simulates processes whose lanes take tasks in order of arrival. A task's steps run one after another, and a step
 * starts when all of its resources are free. If several steps can start, the one that became ready first takes
 * precedence.
 *
 * @example
 * simulate({ processes: 1, lanes: 1, cores: 1, writers: 1 }, [{ arrivesAt: 0, steps: [{ holds: ['core'], ms: 5 }] }]).endsAt // 5
 */
export function simulate({ processes, lanes, cores, writers }: System, tasks: readonly SimulatedTask[]): Simulation {
  const waiting = tasks.map((task, index) => ({ task, index })).sort((a, b) => a.task.arrivesAt - b.task.arrivesAt);
  const free = { core: cores, writer: writers, thread: Array.from({ length: processes }, () => 1) };
  const busy: Record<Resource, number> = { core: 0, thread: 0, writer: 0 };
  const times: number[] = [];
  const idle = Array.from({ length: lanes }, () => Array.from({ length: processes }, (_, process) => process)).flat();
  let nextTask = 0;
  const nextArrival = () => waiting[nextTask]?.task.arrivesAt ?? Number.POSITIVE_INFINITY;
  const ready: RunningTask[] = [];
  const active: { readonly endsAt: number; readonly running: RunningTask }[] = [];
  let now = 0;

  const isFree = (resource: Resource, process: number) =>
    resource === 'thread' ? free.thread[process]! > 0 : free[resource] > 0;
  const change = (resource: Resource, process: number, by: number) => {
    if (resource === 'thread') free.thread[process]! += by;
    else free[resource] += by;
  };

  for (;;) {
    while (idle.length > 0 && nextArrival() <= now)
      ready.push({ process: idle.shift()!, step: 0, ...waiting[nextTask++]! });
    for (let i = 0; i < ready.length; ) {
      const running = ready[i]!;
      const { holds, ms } = running.task.steps[running.step]!;
      if (!holds.every(resource => isFree(resource, running.process))) {
        i++;
        continue;
      }
      for (const resource of holds) {
        change(resource, running.process, -1);
        busy[resource] += ms;
      }
      active.push({ endsAt: now + ms, running });
      ready.splice(i, 1);
    }
    const next = Math.min(
      ...active.map(({ endsAt }) => endsAt),
      idle.length > 0 ? nextArrival() : Number.POSITIVE_INFINITY,
    );
    if (next === Number.POSITIVE_INFINITY) break;
    now = next;
    for (const ended of active.filter(({ endsAt }) => endsAt <= now)) {
      active.splice(active.indexOf(ended), 1);
      const { running } = ended;
      for (const resource of running.task.steps[running.step]!.holds) change(resource, running.process, 1);
      running.step++;
      if (running.step < running.task.steps.length) ready.push(running);
      else {
        times[running.index] = now - running.task.arrivesAt;
        idle.push(running.process);
      }
    }
  }
  const share = (resource: Resource, units: number) => (now === 0 ? 0 : busy[resource] / (now * units));
  return {
    endsAt: now,
    times,
    use: { core: share('core', cores), thread: share('thread', processes), writer: share('writer', writers) },
  };
}
