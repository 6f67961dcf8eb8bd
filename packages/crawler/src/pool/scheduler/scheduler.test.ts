import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createScheduler,
  KEYED_STREAK,
  type Lane,
  QueueFullError,
  type SchedulerOptions,
  type Turn,
} from './scheduler.ts';

interface Started {
  lane: Lane;
  tenant: string;
  turn: Turn;
  endsAt: number;
}

/** Creates a scheduler with a fake clock and jobs whose costs are known in advance. */
function simulate({ slots = 3, lanes = {} }: { slots?: number; lanes?: Partial<SchedulerOptions['lanes']> } = {}) {
  let now = 0;
  const limits = { runningPerTenant: slots, queued: 1_000, queuedPerTenant: 1_000 };
  const scheduler = createScheduler({
    slots,
    lanes: {
      keyed: { ...limits, running: slots },
      keyless: { ...limits, running: Math.max(1, slots - 1) },
      ...lanes,
    },
    clock: () => now,
  });
  const running: Started[] = [];
  const started: Started[] = [];
  const served = new Map<string, number>();
  return {
    scheduler,
    running,
    started,
    served,
    get now() {
      return now;
    },
    submit(lane: Lane, tenant: string, cost: number, target = `${tenant}.example`) {
      return scheduler.submit(lane, { tenant, target }, turn => {
        const job = { lane, tenant, turn, endsAt: now + cost };
        running.push(job);
        started.push(job);
        served.set(tenant, (served.get(tenant) ?? 0) + cost);
      });
    },
    /** Advances the clock to the end of the next job. @returns whether a job ended */
    step() {
      const job = running.toSorted((a, b) => a.endsAt - b.endsAt)[0];
      if (!job) return false;
      now = job.endsAt;
      running.splice(running.indexOf(job), 1);
      job.turn.end();
      return true;
    },
  };
}

const lane = fc.constantFrom<Lane>('keyed', 'keyless');
const cost = fc.integer({ min: 1, max: 5_000 });
const tenant = fc.constantFrom('a', 'b', 'c', 'd');
/** A step: submit a job, cancel a queued job, or wait for a running job to end. */
const command = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('submit' as const), lane, tenant, cost }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel' as const), at: fc.nat(100) }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'step' as const }) },
);

describe('scheduler', () => {
  it('never leaves a slot idle if a queued job can use it, and never exceeds a limit', () => {
    const limits = { queued: 12, queuedPerTenant: 5 };
    const lanes = {
      keyed: { ...limits, running: 3, runningPerTenant: 2 },
      keyless: { ...limits, running: 2, runningPerTenant: 1 },
    };
    fc.assert(
      fc.property(fc.array(command, { maxLength: 120 }), commands => {
        const simulation = simulate({ lanes });
        const { scheduler, running } = simulation;
        const leaving: (() => void)[] = [];
        for (const each of commands) {
          if (each.kind === 'step') simulation.step();
          else if (each.kind === 'cancel') leaving[each.at % Math.max(1, leaving.length)]?.();
          else {
            try {
              leaving.push(simulation.submit(each.lane, each.tenant, each.cost));
            } catch (error) {
              expect(error).toBeInstanceOf(QueueFullError);
            }
          }
          expect(new Set(running.map(({ turn }) => turn.slot)).size).toBe(running.length);
          for (const name of ['keyed', 'keyless'] as const) {
            const { queued, running: inLane } = scheduler.state(name);
            expect(queued).toBeLessThanOrEqual(limits.queued);
            expect(inLane).toBe(running.filter(job => job.lane === name).length);
            expect(inLane).toBeLessThanOrEqual(lanes[name].running);
            const tenants = Map.groupBy(
              running.filter(job => job.lane === name),
              job => job.tenant,
            );
            for (const jobs of tenants.values()) expect(jobs.length).toBeLessThanOrEqual(lanes[name].runningPerTenant);
          }
        }
        // A slot can be idle only if every lane with queued jobs also has a running job, which counts toward a limit.
        while (simulation.step()) {
          const idle = 3 - running.length;
          const blocked = (['keyed', 'keyless'] as const).every(
            name => scheduler.state(name).queued === 0 || running.some(job => job.lane === name),
          );
          expect(idle === 0 || blocked).toBe(true);
        }
        expect(scheduler.state('keyed')).toMatchObject({ queued: 0, running: 0 });
        expect(scheduler.state('keyless')).toMatchObject({ queued: 0, running: 0 });
      }),
    );
  });

  it('starts a keyed job immediately if no other keyed job is running or waiting, regardless of keyless jobs', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(tenant, cost), { maxLength: 200 }), fc.nat(50), (flood, steps) => {
        const simulation = simulate();
        for (const [from, ms] of flood) simulation.submit('keyless', from, ms);
        for (let step = 0; step < steps; step++) simulation.step();
        simulation.submit('keyed', 'customer', 10);
        expect(simulation.started.at(-1)).toMatchObject({ lane: 'keyed', turn: { waitedMs: 0 } });
      }),
    );
  });

  it('lets a waiting keyless job overtake keyed jobs only after nine keyed jobs in a row', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(lane, tenant, cost), { minLength: 40, maxLength: 200 }), jobs => {
        const simulation = simulate();
        for (const [name, from, ms] of jobs) simulation.submit(name, from, ms);
        let [keyed, atOnce] = [0, 0];
        for (;;) {
          const waiting = simulation.scheduler.state('keyed').queued;
          const count = simulation.started.length;
          if (!simulation.step()) break;
          for (const job of simulation.started.slice(count)) {
            if (job.lane === 'keyed') keyed += 1;
            else if (waiting > 0) atOnce += 1;
          }
        }
        expect(atOnce).toBeLessThanOrEqual(Math.ceil(keyed / KEYED_STREAK) + 1);
      }),
    );
  });

  it('starts every job, even if new tenants and keyed jobs never stop arriving', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 500, max: 5_000 }), { minLength: 1, maxLength: 5 }), costs => {
        const simulation = simulate({ slots: 2 });
        // The victim's first job uses far more than its share, and its second job waits.
        simulation.submit('keyless', 'victim', 5_000);
        simulation.submit('keyless', 'victim', 100);
        const isServed = () => simulation.started.filter(job => job.tenant === 'victim').length === 2;
        for (let step = 0; !isServed() && step < 5_000; step++) {
          const arrive = (name: Lane, from: string) => {
            while (simulation.scheduler.state(name).queued < 10)
              simulation.submit(
                name,
                `${from}-${simulation.scheduler.state(name).queued}`,
                costs[step % costs.length]!,
              );
          };
          arrive('keyless', `new-${step}`);
          arrive('keyed', 'key');
          simulation.step();
        }
        expect(isServed()).toBe(true);
      }),
      { numRuns: 20 },
    );
  });

  it('gives tenants equal shares of the time, regardless of the number and cost of their jobs', () => {
    fc.assert(
      fc.property(lane, cost, cost, fc.boolean(), (name, heavy, light, isHeavyFirst) => {
        const simulation = simulate({ slots: 1 });
        const submit = (from: string, ms: number) => simulation.submit(name, from, ms);
        const isBusy = () => simulation.started.length < 50;
        if (isHeavyFirst) for (let i = 0; i < 50; i++) submit('heavy', heavy);
        for (let i = 0; i < 50; i++) submit('light', light);
        if (!isHeavyFirst) for (let i = 0; i < 50; i++) submit('heavy', heavy);
        let worst = 0;
        while (isBusy() && simulation.step()) {
          const [a = 0, b = 0] = ['heavy', 'light'].map(key => simulation.served.get(key));
          worst = Math.max(worst, Math.abs(a - b));
        }
        expect(worst).toBeLessThanOrEqual(4 * Math.max(heavy, light, 500));
      }),
    );
  });

  it('starts a small page promptly even if another caller submitted 30 heavy pages first', () => {
    const simulation = simulate({ slots: 2 });
    for (let i = 0; i < 30; i++) simulation.submit('keyless', 'heavy', 8_000);
    simulation.submit('keyless', 'small', 50);
    while (!simulation.started.some(job => job.tenant === 'small')) simulation.step();
    expect(simulation.now).toBe(8_000);
  });

  it('shares a tenant’s time among its targets', () => {
    const simulation = simulate({ slots: 1 });
    for (let i = 0; i < 10; i++) simulation.submit('keyed', 'agency', 5_000, 'heavy.example');
    simulation.submit('keyed', 'agency', 100, 'small.example');
    simulation.step();
    expect(simulation.started.at(-1)?.endsAt).toBe(5_100);
  });

  it('shares the keyless lane among targets, no matter how many client networks scan the same target', () => {
    const simulation = simulate({ slots: 2 });
    for (let i = 0; i < 20; i++) simulation.submit('keyless', `bot-${i}`, 5_000, 'victim.example');
    simulation.submit('keyless', 'visitor', 100, 'shop.example');
    simulation.step();
    expect(simulation.started.at(-1)?.tenant).toBe('visitor');
  });

  it('reports a longer expected wait for a longer queue', () => {
    const simulation = simulate({ slots: 1 });
    const before = simulation.scheduler.state('keyless').expectedWaitMs;
    for (let i = 0; i < 20; i++) simulation.submit('keyless', 'a', 1_000);
    expect(simulation.scheduler.state('keyless').expectedWaitMs).toBeGreaterThan(10 * before);
    expect(simulation.scheduler.state('keyed').expectedWaitMs).toBe(before);
  });

  it('gives keyed jobs the lowest free slot and keyless jobs the highest', () => {
    const simulation = simulate();
    simulation.submit('keyless', 'a', 10);
    simulation.submit('keyed', 'b', 10);
    expect(simulation.started.map(({ turn }) => turn.slot)).toEqual([2, 0]);
  });
});
