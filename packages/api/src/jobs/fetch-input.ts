import type { ClaimedInput } from '@compliance/store';
import { ApiError } from '../errors/api-error.ts';
import { toApiError } from '../errors/to-api-error.ts';
import type { InputSources } from './input-sources.ts';
import { type InputDeps, receiveInput } from './receive-input.ts';

/** Dependencies for fetching input. */
export interface FetchInputDeps extends InputDeps {
  /** Sources that the service can fetch files from. If null, jobs can't have an `input_url`. */
  readonly inputSources: InputSources | null;
}

/**
 * Fetches a job's input and starts the job. If the attempt fails, records the error in the job.
 *
 * @throws ApiError if the attempt failed
 */
export async function fetchInput(claimed: ClaimedInput, deps: FetchInputDeps, signal: AbortSignal): Promise<void> {
  const { bulk } = claimed;
  // A null source means that an earlier worker started the job but stopped before recording the end of its attempt.
  if (bulk.source === null) return;
  try {
    if (!deps.inputSources) throw new ApiError('unavailable');
    await receiveInput(deps, bulk, deps.inputSources.fetch(bulk.source, signal));
  } catch (error) {
    signal.throwIfAborted();
    const { code, message, detail } = toApiError(error);
    await claimed.recordError({ code, message: detail.issues?.[0]?.message ?? message });
    throw error;
  }
}
