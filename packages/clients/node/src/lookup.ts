import { ComplianceError, DecodeError } from './errors.ts';
import type { CallOptions, Exchange } from './exchange.ts';
import type { HtsLookupRequest, HtsLookupResponse } from './models.gen.ts';

/** Maximum number of codes per request. */
const MAX_CODES = 1000;

/** Looks up any number of codes. Sends as many requests as needed, all for the same date, and merges the responses. */
export async function lookUpInBatches(
  exchange: Exchange,
  codes: readonly string[],
  fields: Omit<HtsLookupRequest, 'codes'>,
  options: CallOptions = {},
): Promise<HtsLookupResponse> {
  if (typeof codes === 'string') throw new TypeError('codes must be a list, such as [code].');
  const lookupPart = async (
    from: number,
    rest: typeof fields,
    partOptions: CallOptions,
  ): Promise<HtsLookupResponse> => {
    const part = codes.slice(from, from + MAX_CODES);
    const response = await exchange.call<HtsLookupResponse>('tariff/hts/lookup', { ...rest, codes: part }, partOptions);
    if (codes.length > MAX_CODES && response.results?.length !== part.length)
      throw new DecodeError("The response doesn't have exactly one result for each code.");
    return response;
  };
  const merged = await lookupPart(0, fields, options);
  for (let from = MAX_CODES; from < codes.length; from += MAX_CODES) {
    const idempotencyKey = options.idempotencyKey && `${options.idempotencyKey}-${from}`;
    const asOf = { as_of: merged.list?.as_of, ...fields };
    const { results, list } = await lookupPart(from, asOf, { ...options, idempotencyKey }).catch(error => {
      throw error instanceof ComplianceError ? Object.assign(error, { partial: merged }) : error;
    });
    merged.results.push(...results);
    Object.assign(merged.list?.sources ?? {}, list?.sources);
  }
  return merged;
}
