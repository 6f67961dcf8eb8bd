import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  SamplingDecision,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace';
import type { OtelVariables } from './settings.ts';

/** Maximum number of traces that a process starts per second by default. */
const TRACES_PER_SECOND = 100;

/**
 * Creates the sampler that `OTEL_TRACES_SAMPLER` and `OTEL_TRACES_SAMPLER_ARG` select: one of the standard samplers, or
 * `rate_limited`, whose argument is the maximum number of traces per second.
 *
 * The default is `parentbased_rate_limited`. It starts at most 100 traces per second in each process, so that tracing
 * doesn't slow down a busy process. For a request with a `traceparent` header, the sampler follows the caller's
 * decision.
 *
 * @returns null if the variable names an unknown sampler
 */
export function samplerOf(env: OtelVariables): Sampler | null {
  const name = env.OTEL_TRACES_SAMPLER?.trim() || 'parentbased_rate_limited';
  const argument = Number(env.OTEL_TRACES_SAMPLER_ARG?.trim() || Number.NaN);
  const root = name.replace(/^parentbased_/, '');
  const samplers: Record<string, () => Sampler> = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(argument >= 0 && argument <= 1 ? argument : 1),
    rate_limited: () => createRateLimitedSampler(argument > 0 ? argument : TRACES_PER_SECOND, () => performance.now()),
  };
  const create = Object.hasOwn(samplers, root) ? samplers[root] : undefined;
  if (!create) return null;
  return name === root ? create() : new ParentBasedSampler({ root: create() });
}

/**
 * Creates a sampler that samples every trace, up to a maximum number of traces per second.
 *
 * @param perSecond maximum number of traces per second; after a quiet second, this many traces can start immediately
 * @param clock returns the time in milliseconds since an arbitrary starting point
 */
export function createRateLimitedSampler(perSecond: number, clock: () => number): Sampler {
  let room = Math.max(1, perSecond);
  let refilledAt = clock();
  return {
    shouldSample() {
      const now = clock();
      room = Math.min(Math.max(1, perSecond), room + ((now - refilledAt) / 1000) * perSecond);
      refilledAt = now;
      if (room < 1) return { decision: SamplingDecision.NOT_RECORD };
      room -= 1;
      return { decision: SamplingDecision.RECORD_AND_SAMPLED };
    },
    toString: () => `RateLimited{${perSecond}}`,
  };
}
