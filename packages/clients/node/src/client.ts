import { createHash } from 'node:crypto';
import { DecodeError } from './errors.ts';
import { type CallOptions, type ClientOptions, Exchange } from './exchange.ts';
import type { RateLimitWindow } from './limits.ts';
import type * as models from './models.gen.ts';

/** How many codes the service takes in one call. */
const MAX_CODES = 1000;

/** A part of the client's tree. */
class Area {
  protected readonly exchange: Exchange;
  constructor(exchange: Exchange) {
    this.exchange = exchange;
  }
}

/** `client.tariff.hts` */
class Hts extends Area {
  /**
   * Looks HTS codes up in the Section 232 lists: one result for each code, in order. More than 1,000 codes become calls one
   * after another, all for the same date, and their answers one answer.
   *
   * @throws ComplianceError
   * @example
   * const { results } = await client.tariff.hts.lookup(['7318.15.2061'], { origin: 'JP' });
   */
  async lookup(
    codes: readonly string[],
    fields: Omit<models.HtsLookupRequest, 'codes'> = {},
    options: CallOptions = {},
  ): Promise<models.HtsLookupResponse> {
    const ask = async (from: number, rest: typeof fields, own: CallOptions): Promise<models.HtsLookupResponse> => {
      const part = codes.slice(from, from + MAX_CODES);
      const answer = await this.exchange.call<models.HtsLookupResponse>(
        'tariff.hts.lookup',
        { ...rest, codes: part },
        own,
      );
      if (codes.length > MAX_CODES && answer.results?.length !== part.length)
        throw new DecodeError('The answer has not one result for each code.');
      return answer;
    };
    const whole = await ask(0, fields, options);
    for (let from = MAX_CODES; from < codes.length; from += MAX_CODES) {
      const idempotencyKey = options.idempotencyKey && `${options.idempotencyKey}-${from}`;
      const { results, list } = await ask(
        from,
        { as_of: whole.list?.as_of, ...fields },
        { ...options, idempotencyKey },
      );
      whole.results.push(...results);
      Object.assign(whole.list?.sources ?? {}, list?.sources);
    }
    return whole;
  }
}

/** `client.tariff` */
class Tariff extends Area {
  readonly hts: Hts = new Hts(this.exchange);

  /**
   * Says which edition of the lists answers, how many listings are in force on a date (today if left out), and where they
   * were read.
   *
   * @throws ComplianceError
   * @example
   * const { known_through, programs } = await client.tariff.lists({ as_of: '2026-10-01' });
   */
  lists(fields: { as_of?: string | undefined } = {}, options?: CallOptions): Promise<models.TariffListsResponse> {
    return this.exchange.read('lists', fields, options);
  }

  /**
   * Compares the lists on two dates: what was added, removed, moved to another annex, or charged differently.
   *
   * @throws ComplianceError
   * @example
   * const { added, removed } = await client.tariff.changes({ from: '2026-06-07', to: '2026-06-08' });
   */
  changes(fields: { from: string; to: string }, options?: CallOptions): Promise<models.TariffChangesResponse> {
    return this.exchange.read('tariff/changes', fields, options);
  }
}

/** `client.pixel` */
class Pixel extends Area {
  /**
   * Scans a storefront for dead, doubled and drifting tags. With the inventory of an earlier scan as `baseline` the answer
   * says what has changed (`drift`).
   *
   * @throws ComplianceError
   * @example
   * const { score, findings } = await client.pixel.scan('https://shop.example');
   */
  scan(
    url: string,
    fields: Omit<models.PixelScanRequest, 'url'> = {},
    options?: CallOptions,
  ): Promise<models.PixelScanResponse> {
    return this.exchange.call('pixel.scan', { ...fields, url }, options);
  }
}

/** `client.entry.gcc` */
class Gcc extends Area {
  /**
   * Makes a General Certificate of Conformity. Tries of one call share an idempotency key, so that it is made once.
   *
   * @throws ComplianceError
   * @example
   * const { gcc_id, gcc_pdf_url } = await client.entry.gcc.generate(certificate);
   */
  generate(request: models.GccGenerateRequest, options?: CallOptions): Promise<models.GccGenerateResponse> {
    return this.exchange.call('entry.gcc.generate', request, options);
  }
}

/**
 * The client of the Portfolio Compliance API.
 *
 * @throws TypeError without a key, or for an address that a key must not be sent to
 * @example
 * const client = new Compliance({ baseURL: 'https://compliance.example' }); // the key from COMPLIANCE_API_KEY
 */
export class Compliance {
  readonly tariff: Tariff;
  readonly pixel: Pixel;
  readonly entry: { readonly gcc: Gcc };
  readonly #exchange: Exchange;

  constructor(options: ClientOptions = {}) {
    this.#exchange = new Exchange(options);
    this.tariff = new Tariff(this.#exchange);
    this.pixel = new Pixel(this.#exchange);
    this.entry = { gcc: new Gcc(this.#exchange) };
  }

  /** What was left of the key's limits after the last answer that told; empty before. */
  get rateLimit(): readonly RateLimitWindow[] {
    return this.#exchange.rateLimit;
  }

  /**
   * Fetches the PDF of a certificate and checks it against the SHA-256 of the answer that named it.
   *
   * @throws ComplianceError; DecodeError when the file is another, or the answer has no SHA-256
   * @example
   * await writeFile('gcc.pdf', await client.downloadCertificate(result));
   */
  async downloadCertificate(result: models.GccGenerateResponse, options?: CallOptions): Promise<Uint8Array> {
    if (!result.sha256) throw new DecodeError('The certificate has no sha256, so the file cannot be checked.');
    const bytes = await this.#exchange.download(result.gcc_pdf_url, options);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    if (sha256 !== result.sha256.toLowerCase())
      throw new DecodeError('The file is not the certificate: its SHA-256 differs.');
    return bytes;
  }
}
