import { type JsonSchema, refName } from '../codegen/document.ts';

/** Returns a value that matches a schema and includes all fields of every object. */
export function sampleResponse(
  schema: JsonSchema,
  schemas: ReadonlyMap<string, JsonSchema>,
  parents: readonly string[] = [],
): unknown {
  if (schema.$ref) {
    const name = refName(schema.$ref);
    // For a recursive type, stop the recursion and return null.
    return parents.includes(name) ? null : sampleResponse(schemas.get(name)!, schemas, [...parents, name]);
  }
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const [arm] = schema.anyOf?.filter(({ type }) => type !== 'null') ?? [];
  if (arm) return sampleResponse(arm, schemas, parents);
  const [type] = [schema.type].flat().filter(each => each !== 'null');
  if (type === 'array') return [sampleResponse(schema.items ?? {}, schemas, parents)];
  if (type === 'object') {
    const fields = Object.entries(schema.properties ?? {});
    const open = typeof schema.additionalProperties === 'object' ? [['key', schema.additionalProperties] as const] : [];
    return Object.fromEntries([...fields, ...open].map(([name, of]) => [name, sampleResponse(of, schemas, parents)]));
  }
  return { integer: 1, number: 1.5, boolean: true }[type ?? ''] ?? 'text';
}
