import { type JsonSchema, type OperationShape, pascal, refName } from './document.ts';

/** Type that all three languages can express. */
export type Type =
  | { kind: 'string' | 'integer' | 'number' | 'boolean' | 'unknown' }
  | { kind: 'array' | 'map' | 'nullable'; of: Type }
  | { kind: 'named'; name: string }
  | { kind: 'literal'; value: string }
  | { kind: 'union'; of: Type[] };

/** Field of an object type. */
export interface ModelField {
  name: string;
  type: Type;
  required: boolean;
  doc: string;
}

/**
 * Named type: an object, or a string with known values. If `sent` is true, only requests use the object, and its enum
 * fields accept only the known values. In other objects, enum fields also accept values that the API adds later.
 */
export type Named =
  | { kind: 'object'; name: string; doc: string; fields: ModelField[]; sent: boolean }
  | { kind: 'enum'; name: string; doc: string; values: string[] };

/**
 * Returns every type that the operations use, in order of first use. An unnamed object or enum is named after its
 * parent type and its field. For example, the field `list` of `HtsLookupResponse` has the type `HtsLookupResponseList`.
 */
export function namedTypes(operations: readonly OperationShape[], schemas: ReadonlyMap<string, JsonSchema>): Named[] {
  const found = new Map<string, Named>();

  const define = (name: string, schema: JsonSchema, sent: boolean): Type => {
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

  const walk = (name: string, schema: JsonSchema, object: Named & { kind: 'object' }, sent: boolean) => {
    object.fields = Object.entries(schema.properties ?? {}).map(([field, of]) => ({
      name: field,
      type: typeOf(of, name + pascal(field), sent),
      required: schema.required?.includes(field) ?? false,
      doc: of.description ?? '',
    }));
  };

  const typeOf = (schema: JsonSchema, name: string, sent: boolean): Type => {
    if (schema.$ref) return define(refName(schema.$ref), schemas.get(refName(schema.$ref))!, sent);
    if (Array.isArray(schema.type)) {
      const [type] = schema.type.filter(each => each !== 'null');
      return { kind: 'nullable', of: typeOf({ ...schema, type: type! }, name, sent) };
    }
    // If an object has `properties`, its `anyOf` only lists alternative sets of required fields.
    if (schema.anyOf && !schema.properties) {
      const arms = schema.anyOf.filter(arm => arm.type !== 'null').map(arm => typeOf(arm, name, sent));
      const type: Type = arms.length === 1 ? arms[0]! : { kind: 'union', of: arms };
      return arms.length < schema.anyOf.length ? { kind: 'nullable', of: type } : type;
    }
    if (typeof schema.const === 'string') return { kind: 'literal', value: schema.const };
    // Accept any number, because a constant number, such as a format version, might change.
    if (typeof schema.const === 'number') return { kind: Number.isInteger(schema.const) ? 'integer' : 'number' };
    if (schema.enum) {
      // Requests that have the same option share one type for the option, so Go needs only one function.
      const shared = [...found.values()].find(
        one => sent && one.kind === 'enum' && one.doc === schema.description && `${one.values}` === `${schema.enum}`,
      );
      return shared ? { kind: 'named', name: shared.name } : define(name, schema, sent);
    }
    if (schema.type === 'array') return { kind: 'array', of: typeOf(schema.items ?? {}, singular(name), sent) };
    if (schema.type === 'object' && Object.keys(schema.properties ?? {}).length > 0) return define(name, schema, sent);
    if (schema.type === 'object' && typeof schema.additionalProperties === 'object')
      return { kind: 'map', of: typeOf(schema.additionalProperties, singular(name), sent) };
    if (schema.type === 'string' || schema.type === 'integer' || schema.type === 'number' || schema.type === 'boolean')
      return { kind: schema.type };
    return { kind: 'unknown' };
  };

  // Name a shared type after the method group with the most operations in its API area, such as `entry.gcc`.
  const groupOf = (id: string) => id.split('.').slice(0, -1).join('.');
  const areaOf = (id: string) => id.split('.')[0]!;
  const sizeOf = (group: string) => operations.filter(({ id }) => groupOf(id) === group).length;
  const ordered = operations.toSorted((a, b) =>
    areaOf(a.id) === areaOf(b.id) ? sizeOf(groupOf(b.id)) - sizeOf(groupOf(a.id)) : 0,
  );
  for (const { request, response } of ordered) {
    if (request) define(refName(request.$ref!), schemas.get(refName(request.$ref!))!, true);
    define(refName(response.$ref!), schemas.get(refName(response.$ref!))!, false);
  }
  const { error, reason, issues } = schemas.get('Error')?.properties ?? {};
  if (error) define('ErrorCode', error, false);
  if (reason) define('ErrorReason', reason, false);
  if (issues) define('IssueCode', issues.items!.properties!.code!, false);
  return [...found.values()];
}

/**
 * Converts a parameter schema to a type without creating named types. The schema can refer to one of the named types.
 */
export function inlineType(schema: JsonSchema): Type {
  if (schema.$ref) return { kind: 'named', name: refName(schema.$ref) };
  const [type] = [schema.type].flat().filter(each => each !== 'null');
  if (type === 'array') return { kind: 'array', of: inlineType(schema.items ?? {}) };
  if (type === 'integer' || type === 'number' || type === 'boolean') return { kind: type };
  return { kind: 'string' };
}

function singular(name: string): string {
  return name.replace(/ies$/, 'y').replace(/(?<!s)s$/, '');
}
