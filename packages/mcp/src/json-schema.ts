import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { z } from 'zod';

/**
 * Maximum length of a pattern in the schemas that clients see. Longer patterns, such as the list of all country codes,
 * cost an agent thousands of tokens. The server still checks values against longer patterns.
 */
const MAX_PATTERN = 80;

const known = new WeakMap<z.ZodType, StandardSchemaWithJSON>();

/**
 * Returns a schema that clients see but the SDK doesn't enforce. Operations validate their own input, so that invalid
 * arguments result in the same issues as in the API.
 *
 * @example advertise(z.strictObject({ id: z.string() }))['~standard'].jsonSchema.input({ target: 'draft-2020-12' }).type // 'object'
 */
export function advertise(schema: z.ZodType): StandardSchemaWithJSON {
  let advertised = known.get(schema);
  if (!advertised) {
    let json: Record<string, unknown> | undefined;
    const convert = () => (json ??= toJsonSchema(schema));
    advertised = {
      '~standard': {
        version: 1,
        vendor: 'compliance',
        validate: value => ({ value }),
        jsonSchema: { input: convert, output: convert },
      },
    };
    known.set(schema, advertised);
  }
  return advertised;
}

/** Converts a schema to a JSON Schema that, like the API, allows additional fields in response objects. */
function toJsonSchema(schema: z.ZodType): Record<string, unknown> {
  // MCP requires an object at the root. A clone has no ID, so it isn't moved to `$defs`.
  return z.toJSONSchema(schema.clone(), {
    io: 'input',
    override({ jsonSchema, zodSchema }) {
      if ((jsonSchema.pattern?.length ?? 0) > MAX_PATTERN) delete jsonSchema.pattern;
      // Lists of known values, such as programs, are open: a newer data set can contain other values.
      if (zodSchema._zod.def.type === 'string') delete jsonSchema.enum;
    },
  });
}
