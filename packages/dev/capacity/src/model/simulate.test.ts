import { describe, expect, it } from 'vitest';
import { stepsOf } from './part-times.ts';
import { type SimulatedStep, simulate } from './simulate.ts';

const ONE = { processes: 1, lanes: 1, cores: 1, writers: 1 };
const cpu = (ms: number): SimulatedStep => ({ holds: ['core', 'thread'], ms });
const pause = (ms: number): SimulatedStep => ({ holds: [], ms });
const tasks = (count: number, steps: readonly SimulatedStep[], every = 0) =>
  Array.from({ length: count }, (_, i) => ({ arrivesAt: i * every, steps }));

describe('the simulation', () => {
  it('runs tasks sequentially if they need the same thread', () => {
    expect(simulate({ ...ONE, lanes: 3, cores: 4 }, tasks(10, [cpu(5)]))).toMatchObject({
      endsAt: 50,
      use: { thread: 1 },
    });
  });

  it('runs the threads of several processes concurrently until all cores are in use', () => {
    const endsAt = (processes: number, cores: number) =>
      simulate({ ...ONE, processes, cores }, tasks(12, [cpu(5)])).endsAt;
    expect([endsAt(2, 2), endsAt(3, 2), endsAt(3, 3)]).toEqual([30, 30, 20]);
  });

  it('lets waits in different lanes of a process overlap', () => {
    expect(simulate({ ...ONE, lanes: 2 }, tasks(10, [pause(10)])).endsAt).toBe(50);
    expect(simulate({ ...ONE, lanes: 2 }, tasks(10, [cpu(10), pause(10)])).endsAt).toBe(110);
  });

  it('runs other threads at the same time as the main thread if enough cores are available', () => {
    const part = stepsOf({ mainThread: 6, otherThreads: 4, blocked: 0, database: 0, wait: 0 }, 1);
    const endsAt = (cores: number) => simulate({ ...ONE, lanes: 2, cores }, tasks(10, part)).endsAt;
    expect([endsAt(1), endsAt(2)]).toEqual([100, 64]);
  });

  it('lets only one task write at a time, regardless of the number of processes', () => {
    const write: SimulatedStep = { holds: ['writer'], ms: 4 };
    expect(simulate({ ...ONE, processes: 5, cores: 5 }, tasks(10, [write])).endsAt).toBe(40);
  });

  it('matches the mean waiting time of a queue with random arrivals and constant service times (M/D/1)', () => {
    let state = 1;
    const random = () => {
      state = (state * 48_271) % 2_147_483_647;
      return state / 2_147_483_647;
    };
    let time = 0;
    const [service, load] = [10, 0.7];
    const arrivals = Array.from({ length: 20_000 }, () => {
      time -= (Math.log(random()) * service) / load;
      return { arrivesAt: time, steps: [cpu(service)] };
    });
    const { times, use } = simulate(ONE, arrivals);
    const wait = times.reduce((sum, each) => sum + each, 0) / times.length - service;
    expect(wait / ((load * service) / (2 * (1 - load)))).toBeCloseTo(1, 1);
    expect(use.core).toBeCloseTo(load, 1);
  });
});
