import { z } from 'zod';

/** A request or response field. */
export interface SchemaField {
  name: string;
  /** Type name, such as `array of strings` or `date or null`. */
  type: string;
  /** Enum values. */
  values: string[];
  required: boolean;
  description: string;
  /** The nested fields of an object or an array of objects. */
  fields: SchemaField[];
  /** The dotted path of an earlier field with the same nested fields, or null. */
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

/**
 * Returns the fields of an object schema, in schema order.
 *
 * @example
 * schemaFields(z.object({ as_of: z.string().optional() })) // [{ name: 'as_of', type: 'string', required: false, … }]
 */
export function schemaFields(schema: z.ZodType): SchemaField[] {
  const root = z.toJSONSchema(schema, { io: 'input' }) as Schema;
  const definitions = root.$defs ?? {};
  return nestedFields(resolve(root, definitions), definitions);
}

type Definitions = Record<string, Schema>;

/**
 * Returns the nested fields of a schema. `known` maps each shared object schema to the path of the first field that
 * uses it.
 */
function nestedFields(
  schema: Schema,
  definitions: Definitions,
  known = new Map<Schema, string>(),
  path = '',
): SchemaField[] {
  const { properties = {}, required = [] } = merge(schema, definitions);
  return Object.entries(properties).map(([name, property]) => {
    const resolved = resolve(property, definitions);
    const innermost = innermostOf(resolved, definitions);
    const fieldPath = path === '' ? name : `${path}.${name}`;
    const sameAs = known.get(innermost) ?? null;
    if (innermost.properties && Object.values(definitions).includes(innermost)) {
      known.set(innermost, sameAs ?? fieldPath);
    }
    return {
      name,
      type: typeOf(resolved, definitions),
      values: (innermost.enum ?? []).filter(value => typeof value === 'string'),
      required: required.includes(name),
      description: property.description ?? resolved.description ?? '',
      fields: sameAs === null ? nestedFields(innermost, definitions, known, fieldPath) : [],
      sameAs,
    };
  });
}

/** Merges the alternative forms of a request into one schema. A field is required if all alternatives require it. */
function merge(schema: Schema, definitions: Definitions): Schema {
  const alternatives = schema.anyOf?.map(arm => resolve(arm, definitions)) ?? [];
  if (alternatives.length === 0 || alternatives.some(arm => !arm.properties)) return schema;
  const properties = Object.assign({}, ...alternatives.map(arm => arm.properties));
  const required = Object.keys(properties).filter(name => alternatives.every(arm => arm.required?.includes(name)));
  return { properties, required };
}

function resolve(schema: Schema, definitions: Definitions): Schema {
  return schema.$ref === undefined ? schema : definitions[schema.$ref.slice('#/$defs/'.length)]!;
}

/** Returns the innermost type inside arrays, maps, and nullable types. */
function innermostOf(schema: Schema, definitions: Definitions): Schema {
  const { items, anyOf, additionalProperties: values } = schema;
  const [only, ...others] = anyOf?.filter(arm => arm.type !== 'null' && arm.const === undefined) ?? [];
  const next =
    items ??
    (others.length === 0 ? only : undefined) ??
    (typeof values === 'object' && schema.properties === undefined ? values : undefined);
  return next === undefined || Object.keys(next).length === 0
    ? schema
    : innermostOf(resolve(next, definitions), definitions);
}

function typeOf(schema: Schema, definitions: Definitions): string {
  if (schema.anyOf && !schema.properties)
    return schema.anyOf.map(arm => typeOf(resolve(arm, definitions), definitions)).join(' or ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const types = [schema.type ?? 'any value'].flat();
  return types.map(type => typeWord(type, schema, definitions)).join(' or ');
}

function typeWord(
  type: string,
  { items, format, additionalProperties: values, properties }: Schema,
  definitions: Definitions,
): string {
  if (type === 'array') return `array of ${plural(typeOf(resolve(items ?? {}, definitions), definitions))}`;
  if (type === 'string' && format !== undefined) return FORMATS[format] ?? format.replaceAll('-', ' ');
  if (type === 'object' && properties === undefined && typeof values === 'object') {
    return `map of ${plural(typeOf(resolve(values, definitions), definitions))}`;
  }
  return type;
}

const FORMATS: Record<string, string> = { uri: 'URL', uuid: 'UUID', 'hts-code': 'HTS code' };

function plural(type: string): string {
  return type.replace(/\b(string|integer|number|boolean|object|date|value|URL)$/, '$1s');
}
