import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'smol-toml';

/** Field of a Flow trigger, as declared in `shopify.extension.toml`. Reference fields don't have a key. */
interface FlowField {
  readonly type: string;
  readonly key?: string;
  readonly description?: string;
}

/** Flow trigger, as declared in `shopify.extension.toml`. */
export interface DeclaredFlowTrigger {
  readonly handle: string;
  readonly name: string;
  readonly description: string;
  readonly fields: readonly FlowField[];
}

/** Maximum size of a payload, in bytes. */
const MAX_BYTES = 50_000;

/**
 * Reads the Flow triggers in a folder of extensions.
 *
 * @example readFlowTriggers('shopify-app/extensions').map(({ handle }) => handle)
 */
export function readFlowTriggers(folder: string): DeclaredFlowTrigger[] {
  return globSync('*/shopify.extension.toml', { cwd: folder }).flatMap(file => {
    const { extensions = [], settings } = parse(readFileSync(join(folder, file), 'utf8')) as unknown as {
      extensions?: readonly (Omit<DeclaredFlowTrigger, 'fields'> & { readonly type: string })[];
      settings?: { readonly fields?: readonly FlowField[] };
    };
    return extensions
      .filter(({ type }) => type === 'flow_trigger')
      .map(({ handle, name, description }) => ({ handle, name, description, fields: settings?.fields ?? [] }));
  });
}

/**
 * Returns the name of a field in the payload. Shopify derives the name of a reference field, such as `product_id`, from
 * the field's type.
 */
const propertyOf = ({ type, key }: FlowField): string => key ?? type.replace(/_reference$/, '_id');

const isUrl = (value: unknown): boolean => typeof value === 'string' && URL.canParse(value);

/** Functions that return whether a value is valid, by field type. */
const CHECKS: Readonly<Record<string, (value: unknown) => boolean>> = {
  boolean: value => typeof value === 'boolean',
  number_decimal: value => typeof value === 'number',
  product_reference: value => Number.isSafeInteger(value),
  single_line_text_field: value => typeof value === 'string' && !/[\r\n]/.test(value),
  url: isUrl,
};

/**
 * Returns an event's errors: an unknown handle, missing or unknown fields, invalid values, or a payload that's too
 * large.
 */
export function faultsOfFlowEvent(
  triggers: readonly DeclaredFlowTrigger[],
  handle: string | undefined,
  payload: unknown,
): string[] {
  const declared = triggers.find(trigger => trigger.handle === handle);
  if (!declared) return [`Invalid handle '${handle}'.`];
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) return ['Payload must be an object.'];
  const size = Buffer.byteLength(JSON.stringify(payload));
  if (size >= MAX_BYTES) return [`Payload is ${size} bytes, but must be under ${MAX_BYTES} bytes.`];
  const values = new Map(Object.entries(payload));
  const names = new Set(declared.fields.map(propertyOf));
  return [
    ...[...values.keys()].filter(name => !names.has(name)).map(name => `Unknown field '${name}'.`),
    ...declared.fields
      .filter(field => !CHECKS[field.type]?.(values.get(propertyOf(field))))
      .map(field => `Field '${propertyOf(field)}' must be a ${field.type}.`),
  ];
}
