import { type OperationShape, pascal, refName, type Schema } from './document.ts';

/** A type that each of the three languages can say. */
export type Type =
  | { kind: 'string' | 'integer' | 'number' | 'boolean' | 'unknown' }
  | { kind: 'array' | 'map' | 'nullable'; of: Type }
  | { kind: 'named'; name: string }
  | { kind: 'literal'; value: string }
  | { kind: 'union'; of: Type[] };

/** A field of an object. */
export interface Field {
  name: string;
  type: Type;
  required: boolean;
  doc: string;
}

/** A type with a name: an object, or a text of which some values are known. `sent` when it is part of a request alone. */
export type Named =
  | { kind: 'object'; name: string; doc: string; fields: Field[]; sent: boolean }
  | { kind: 'enum'; name: string; doc: string; values: string[] };

/**
 * Every type that the operations reach, in the order in which they reach them. An object or enum without a name of its own
 * gets that of the field that holds it: `HtsLookupResponse` and `list` make `HtsLookupResponseList`.
 */
export function namedTypes(operations: readonly OperationShape[], schemas: ReadonlyMap<string, Schema>): Named[] {
  const found = new Map<string, Named>();

  const define = (name: string, schema: Schema, sent: boolean): Type => {
    const known = found.get(name);
    if (known?.kind === 'object' && known.sent && !sent) {
      known.sent = false;
      walk(name, schema, known, sent);
    }
    if (known) return { kind: 'named', name };
    const doc = schema.description ?? '';
    if (schema.enum) {
      found.set(name, { kind: 'enum', name, doc, values: schema.enum });
    } else {
      const object: Named = { kind: 'object', name, doc, fields: [], sent };
      found.set(name, object);
      walk(name, schema, object, sent);
    }
    return { kind: 'named', name };
  };

  const walk = (name: string, schema: Schema, object: Named & { kind: 'object' }, sent: boolean) => {
    object.fields = Object.entries(schema.properties ?? {}).map(([field, of]) => ({
      name: field,
      type: typeOf(of, name + pascal(field), sent),
      required: schema.required?.includes(field) ?? false,
      doc: of.description ?? '',
    }));
  };

  const typeOf = (schema: Schema, name: string, sent: boolean): Type => {
    if (schema.$ref) return define(refName(schema.$ref), schemas.get(refName(schema.$ref))!, sent);
    if (Array.isArray(schema.type)) {
      const [type] = schema.type.filter(each => each !== 'null');
      return { kind: 'nullable', of: typeOf({ ...schema, type: type! }, name, sent) };
    }
    if (schema.anyOf) {
      const arms = schema.anyOf.filter(arm => arm.type !== 'null').map(arm => typeOf(arm, name, sent));
      const type: Type = arms.length === 1 ? arms[0]! : { kind: 'union', of: arms };
      return arms.length < schema.anyOf.length ? { kind: 'nullable', of: type } : type;
    }
    if (typeof schema.const === 'string') return { kind: 'literal', value: schema.const };
    // A number that is fixed today, such as the version of a shape, may be another tomorrow.
    if (typeof schema.const === 'number') return { kind: Number.isInteger(schema.const) ? 'integer' : 'number' };
    if (schema.enum) return define(name, schema, sent);
    if (schema.type === 'array') return { kind: 'array', of: typeOf(schema.items ?? {}, singular(name), sent) };
    if (schema.type === 'object' && Object.keys(schema.properties ?? {}).length > 0) return define(name, schema, sent);
    if (schema.type === 'object' && typeof schema.additionalProperties === 'object')
      return { kind: 'map', of: typeOf(schema.additionalProperties, singular(name), sent) };
    if (schema.type === 'string' || schema.type === 'integer' || schema.type === 'number' || schema.type === 'boolean')
      return { kind: schema.type };
    return { kind: 'unknown' };
  };

  for (const { request, response } of operations) {
    if (request) define(refName(request.$ref!), schemas.get(refName(request.$ref!))!, true);
    define(refName(response.$ref!), schemas.get(refName(response.$ref!))!, false);
  }
  return [...found.values()];
}

function singular(name: string): string {
  return name.replace(/ies$/, 'y').replace(/(?<!s)s$/, '');
}
