import { z } from 'zod';

/** One field of a request or an answer, as a reader wants to know it. */
export interface Field {
  name: string;
  /** In words: `list of text`, `date or null`. */
  type: string;
  /** The texts that are known, where they are few. */
  values: string[];
  required: boolean;
  description: string;
  /** The fields inside, where it is an object or a list of objects. */
  fields: Field[];
  /** The dotted path of the field that has the same fields inside, where they were told before. */
  sameAs: string | null;
}

interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  anyOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  $defs?: Record<string, Schema>;
}

const WORDS: Record<string, string> = { string: 'text', integer: 'whole number', boolean: 'true or false' };

/**
 * The fields of an object's schema, in their order.
 *
 * @example fieldsOf(z.object({ as_of: z.string().optional() })) // [{ name: 'as_of', type: 'text', required: false, … }]
 */
export function fieldsOf(schema: z.ZodType): Field[] {
  const root = z.toJSONSchema(schema, { io: 'input' }) as Schema;
  const definitions = root.$defs ?? {};
  return inside(resolved(root, definitions), definitions);
}

type Definitions = Record<string, Schema>;

/** `known` has the path of the field that first showed an object: a field that holds the same refers to it. */
function inside(schema: Schema, definitions: Definitions, known = new Map<Schema, string>(), path = ''): Field[] {
  const { properties = {}, required = [] } = schema;
  return Object.entries(properties).map(([name, written]) => {
    const own = resolved(written, definitions);
    const innermost = innermostOf(own, definitions);
    const here = path === '' ? name : `${path}.${name}`;
    const sameAs = known.get(innermost) ?? null;
    if (innermost.properties && Object.values(definitions).includes(innermost)) known.set(innermost, sameAs ?? here);
    return {
      name,
      type: typeOf(own, definitions),
      values: (innermost.enum ?? []).filter(value => typeof value === 'string'),
      required: required.includes(name),
      description: written.description ?? own.description ?? '',
      fields: sameAs === null ? inside(innermost, definitions, known, here) : [],
      sameAs,
    };
  });
}

function resolved(schema: Schema, definitions: Definitions): Schema {
  return schema.$ref === undefined ? schema : definitions[schema.$ref.slice('#/$defs/'.length)]!;
}

/** What is meant when lists, maps and `null` are taken away. */
function innermostOf(schema: Schema, definitions: Definitions): Schema {
  const { items, anyOf, additionalProperties: values } = schema;
  const [only, ...others] = anyOf?.filter(arm => arm.type !== 'null' && arm.const === undefined) ?? [];
  const next =
    items ??
    (others.length === 0 ? only : undefined) ??
    (typeof values === 'object' && schema.properties === undefined ? values : undefined);
  return next === undefined || Object.keys(next).length === 0
    ? schema
    : innermostOf(resolved(next, definitions), definitions);
}

function typeOf(schema: Schema, definitions: Definitions): string {
  if (schema.anyOf) return schema.anyOf.map(arm => typeOf(resolved(arm, definitions), definitions)).join(' or ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const types = [schema.type ?? 'any value'].flat();
  return types.map(type => typeWord(type, schema, definitions)).join(' or ');
}

function typeWord(
  type: string,
  { items, format, additionalProperties: values, properties }: Schema,
  definitions: Definitions,
): string {
  if (type === 'array')
    return `list of ${typeOf(resolved(items ?? {}, definitions), definitions)}`.replace(/\b(text|object)$/, '$1s');
  if (type === 'string' && format !== undefined) return format === 'uri' ? 'address' : format.replaceAll('-', ' ');
  if (type === 'object' && properties === undefined && typeof values === 'object') {
    return `${typeOf(resolved(values, definitions), definitions)} by name`;
  }
  return WORDS[type] ?? type;
}
