import type { z } from 'zod';

/** Admin API operation with its GraphQL document and response schema. */
export interface AdminOperation<Response, Variables extends object = Record<string, never>> {
  /** Operation name from the document, used in error messages and tests. */
  readonly name: string;
  readonly document: string;
  readonly response: z.ZodType<Response>;
  /** Type-only field that carries the variables' type. Never set at runtime. */
  readonly variables?: Variables;
}

/** Creates an {@link AdminOperation} that is named after the operation in its document. */
export function defineAdminOperation<Variables extends object = Record<string, never>>() {
  return <Response>(document: string, response: z.ZodType<Response>): AdminOperation<Response, Variables> => ({
    name: /(?:query|mutation) (\w+)/.exec(document)![1]!,
    document,
    response,
  });
}
