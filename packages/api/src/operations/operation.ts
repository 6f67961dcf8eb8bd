import type { Nomenclature } from '@compliance/core/tariff';
import type { Scanner } from '@compliance/crawler';
import type { KeyScope } from '@compliance/store';
import type { z } from 'zod';
import type { Issuer } from '../certificates/issuer.ts';
import type { ErrorCode } from '../errors.ts';

/** What an operation works with beside its request. */
interface OperationContext {
  /** Milliseconds since 1970. */
  now: number;
  /** The official HTS export that was imported, if one was. */
  nomenclature: Nomenclature | null;
  /** Fetches and scans storefronts; null where the service was set up without one. */
  scanner: Scanner | null;
  /** Issues certificates; null where the service was set up without one. */
  issuer: Issuer | null;
  /** Who asks. */
  caller: { family: string; keyId: string; requestId: string; idempotencyKey: string | null };
}

/** One operation of the API. Router, limits, OpenAPI document and tests are made from these. */
export interface Operation<Request extends z.ZodType = z.ZodType, Response extends z.ZodType = z.ZodType> {
  /** The method path of the clients, and the `operationId`. */
  id: string;
  method: 'post';
  path: `/api/v1/${string}`;
  scope: Exclude<KeyScope, 'all'>;
  summary: string;
  description: string;
  request: Request;
  response: Response;
  /** What it can answer beside the errors that every operation has. */
  errors: readonly ErrorCode[];
  /** Takes the place of the schema's own reading, for an operation that names faults itself. */
  parse?: (body: unknown) => z.output<Request>;
  examples: { name: string; request: z.input<Request> }[];
  handle(request: z.output<Request>, context: OperationContext): z.output<Response> | Promise<z.output<Response>>;
}

/** Keeps the types of an operation's schemas. */
export function defineOperation<Request extends z.ZodType, Response extends z.ZodType>(
  operation: Operation<Request, Response>,
): Operation<Request, Response> {
  return operation;
}
