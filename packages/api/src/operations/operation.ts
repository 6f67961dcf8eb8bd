import type { ErrorCode } from '@compliance/contract/errors';
import type { Dataset } from '@compliance/core/tariff';
import type { Scanner, SiteScanner } from '@compliance/crawler';
import type { PoolCaller } from '@compliance/crawler/pool';
import type { BulkJobs, KeyScope, Watches } from '@compliance/store';
import type { z } from 'zod';
import type { Assess } from '../adapters/tariff-assess.ts';
import type { LookUp } from '../adapters/tariff-lookup.ts';
import type { CertificateCaller, CertificateService } from '../certificates/certificate-service-types.ts';
import type { InputSources } from '../jobs/input-sources.ts';
import type { JobLinks } from '../jobs/job-links.ts';
import type { WebhookSecrets } from '../watches/webhook-secrets.ts';

/** The context that all handlers receive. */
interface PublicContext {
  /** Milliseconds since the Unix epoch. */
  now: number;
  /** The data set for the whole request. */
  dataset: Dataset;
  /** Storefront scanner; null if the service doesn't have one. */
  scanner: Scanner | null;
  /**
   * Returns the caller for pool jobs. The caller's signal is aborted when the request's time limit passes or when the
   * client disconnects.
   */
  poolCaller: () => PoolCaller;
}

/** The context that v1 handlers receive. */
interface OperationContext extends PublicContext {
  /** Whole-site scanner; null if the service doesn't have one. */
  siteScanner: SiteScanner | null;
  lookUp: LookUp;
  watches: Watches;
  /** Secrets that sign webhooks; null if the service isn't configured for webhooks. */
  webhookSecrets: WebhookSecrets | null;
  jobs: BulkJobs;
  /** Links to job files; null if the service isn't configured for jobs. */
  jobLinks: JobLinks | null;
  /** Sources that the service fetches job input from; null if the service isn't configured to fetch input. */
  inputSources: InputSources | null;
  /** Whether the service's workers render pages in a browser. */
  rendersPages: boolean;
  /** The key's scope. */
  keyScope: KeyScope;
  /** Checks the key's scope in an operation whose scope is `any`. @throws ApiError `scope` */
  authorizeScope: (scope: KeyScope) => void;
  assess: Assess;
  /** Certificate service; null if the service isn't configured for certificates. */
  certificates: CertificateService | null;
  /** The caller's API key and request. */
  caller: CertificateCaller;
}

/** An operation in any API version. The routes, OpenAPI documents, and tests are derived from the operations. */
export interface Endpoint<
  Path extends string = string,
  Request extends z.ZodType = z.ZodType,
  Response extends z.ZodType = z.ZodType,
  Context = never,
  Params extends z.ZodObject = z.ZodObject,
> {
  /** The `operationId`. In v1, the ID is also the path of the method in the client libraries. */
  id: string;
  /**
   * The HTTP method. For `post`, the request is a JSON body. For `get`, the request consists of `{name}` path
   * parameters and query parameters.
   */
  method: 'get' | 'post';
  path: Path;
  summary: string;
  description: string;
  /** A strict object schema, which rejects unknown fields. */
  request: Request;
  /** The `{name}` path parameters of a `post` operation. */
  params?: Params;
  response: Response;
  /** Maximum size of the request body in bytes, if larger than for other operations. */
  maxBodyBytes?: number;
  /** Error codes in addition to the codes that the method and middleware imply. */
  errors?: readonly ErrorCode[];
  /** Custom parser that replaces schema validation for an operation that reports its own issues. */
  parse?: (body: unknown) => z.output<Request>;
  /** Custom response serializer, which returns JSON in UTF-8. Defaults to `JSON.stringify`. */
  serialize?(response: z.output<Response>): Uint8Array<ArrayBuffer>;
  examples: { name: string; params?: z.input<Params>; request: z.input<Request> }[];
  handler(
    request: z.output<Request>,
    context: Context,
    params: z.output<Params>,
  ): z.output<Response> | Promise<z.output<Response>>;
}

/** A v1 operation, which requires an API key with the operation's scope. */
export interface Operation<
  Request extends z.ZodType = z.ZodType,
  Response extends z.ZodType = z.ZodType,
  Params extends z.ZodObject = z.ZodObject,
> extends Endpoint<`/api/v1/${string}`, Request, Response, OperationContext, Params> {
  /** `any` if the required scope depends on the request. In that case, the handler checks the scope. */
  scope: Exclude<KeyScope, 'all'> | 'any';
  /** Cost of a call: the call counts as this many requests toward the rate limits. Defaults to 1. */
  cost?: number;
  /**
   * Positional arguments of the client method, after the path parameters of a `post` operation: request fields, or the
   * whole request. Unset if the client libraries don't have a method for the operation.
   */
  clientArguments?: readonly (keyof z.input<Request>)[] | 'request';
}

/** A v0 operation, which doesn't require an API key. */
export type PublicOperation<Request extends z.ZodType = z.ZodType, Response extends z.ZodType = z.ZodType> = Endpoint<
  `/api/v0/${string}`,
  Request,
  Response,
  PublicContext
>;

/** Defines a v1 operation and preserves its schema types. */
export function defineOperation<
  Request extends z.ZodType,
  Response extends z.ZodType,
  Params extends z.ZodObject = z.ZodObject,
>(operation: Operation<Request, Response, Params>): Operation<Request, Response, Params> {
  return operation;
}

/** Defines a v0 operation and preserves its schema types. */
export function definePublicOperation<Request extends z.ZodType, Response extends z.ZodType>(
  operation: PublicOperation<Request, Response>,
): PublicOperation<Request, Response> {
  return operation;
}

/** Converts an OpenAPI path to a router path. @example routeOf({ path: '/api/v0/hts/{code}' }) // '/api/v0/hts/:code' */
export function routeOf({ path }: Endpoint): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}
