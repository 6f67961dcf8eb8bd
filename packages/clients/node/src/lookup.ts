import { ComplianceError, DecodeError } from './errors.ts';
import type { CallOptions, Exchange } from './exchange.ts';
import type { HtsLookupRequest, HtsLookupResponse } from './models.gen.ts';
import { responseOf, withResponse } from './response.ts';

/** Maximum number of codes per request. */
const MAX_CODES = 1000;

/** Looks up any number of codes. Sends as many requests as needed, all for the same date, and merges the responses. */
export async function lookUpInBatches(
  exchange: Exchange,
  codes: readonly string[],
  fields: Omit<HtsLookupRequest, 'codes'>,
  options: CallOptions = {},
): Promise<HtsLookupResponse> {
  const until = exchange.until(options);
  const lookupPart = async (from: number, rest: typeof fields, idempotencyKey?: string): Promise<HtsLookupResponse> => {
    const part = codes.slice(from, from + MAX_CODES);
    const request = { ...rest, codes: part };
    const partOptions = { ...options, idempotencyKey, until };
    const response = await exchange.call<HtsLookupResponse>('tariff/hts/lookup', request, partOptions, ['codes']);
    if (codes.length > MAX_CODES && response.results?.length !== part.length)
      throw new DecodeError('The response must contain exactly one result for each code.');
    return response;
  };
  const merged = await lookupPart(0, fields, options.idempotencyKey);
  for (let from = MAX_CODES; from < codes.length; from += MAX_CODES) {
    const idempotencyKey = options.idempotencyKey && `${options.idempotencyKey}-${from}`;
    const response = await lookupPart(from, { as_of: merged.list?.as_of, ...fields }, idempotencyKey).catch(error => {
      throw error instanceof ComplianceError ? Object.assign(error, { partial: merged }) : error;
    });
    merged.results.push(...response.results);
    Object.assign(merged.list?.sources ?? {}, response.list?.sources);
    withResponse(merged, responseOf(response));
  }
  return merged;
}
