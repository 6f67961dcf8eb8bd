import type { Scanner } from '@compliance/crawler';
import type { KeyScope } from '@compliance/store';
import type { z } from 'zod';
import type { Issuer } from '../certificates/issued.ts';
import type { ErrorCode } from '../error-codes.ts';
import type { LookUp } from '../lookups.ts';

/** What any call works with beside its request. */
interface OpenContext {
  /** Milliseconds since 1970. */
  now: number;
  /** Fetches and scans storefronts; null where the service was set up without one. */
  scanner: Scanner | null;
}

/** What an operation of v1 works with besides. */
interface OperationContext extends OpenContext {
  lookUp: LookUp;
  /** Issues certificates; null where the service was set up without one. */
  issuer: Issuer | null;
  /** Who asks. */
  caller: { family: string; keyId: string; requestId: string; idempotencyKey: string | null };
}

/** What can be called, whoever may. Router, OpenAPI document and tests are made from these. */
export interface Endpoint<
  Path extends string = string,
  Request extends z.ZodType = z.ZodType,
  Response extends z.ZodType = z.ZodType,
  Context = never,
> {
  /** The `operationId`; in v1 it is the method path of the clients. */
  id: string;
  /** A `post` takes the fields of its request from a JSON body, a `get` from `{names}` in the path and from the query. */
  method: 'get' | 'post';
  path: Path;
  summary: string;
  description: string;
  /** A strict object: what is not known is refused. */
  request: Request;
  response: Response;
  /** What it can answer beside the errors that every operation has. */
  errors?: readonly ErrorCode[];
  /** Takes the place of the schema's own reading, for an operation that names faults itself. */
  parse?: (body: unknown) => z.output<Request>;
  examples: { name: string; request: z.input<Request> }[];
  handle(request: z.output<Request>, context: Context): z.output<Response> | Promise<z.output<Response>>;
}

/** One operation of v1, for keys of its product area. */
export interface Operation<Request extends z.ZodType = z.ZodType, Response extends z.ZodType = z.ZodType>
  extends Endpoint<`/api/v1/${string}`, Request, Response, OperationContext> {
  scope: Exclude<KeyScope, 'all'>;
  /** What the methods of the clients take first: fields of the request, or all of it. Unset while the clients have none. */
  clientsTake?: readonly (keyof z.input<Request>)[] | 'request';
}

/** One operation of v0, for everybody. */
export type OpenOperation<Request extends z.ZodType = z.ZodType, Response extends z.ZodType = z.ZodType> = Endpoint<
  `/api/v0/${string}`,
  Request,
  Response,
  OpenContext
>;

/** Keeps the types of an operation's schemas. */
export function defineOperation<Request extends z.ZodType, Response extends z.ZodType>(
  operation: Operation<Request, Response>,
): Operation<Request, Response> {
  return operation;
}

/** The same for v0. */
export function defineOpenOperation<Request extends z.ZodType, Response extends z.ZodType>(
  operation: OpenOperation<Request, Response>,
): OpenOperation<Request, Response> {
  return operation;
}

/** The path as the router writes it: `{code}` is `:code`. */
export function routeOf({ path }: Endpoint): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}
