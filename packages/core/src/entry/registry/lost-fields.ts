import type { CertificateRequest } from '../request/schema.ts';
import type { ImportedRequest } from './import.ts';

/** Request fields that affect only the document and aren't certificate data. */
const DOCUMENT_FIELDS = ['language', 'logo', 'paper', 'signature_block'];

/** Fields that share a column with another field. The import assigns their values to the other field. */
const ALIASES: Readonly<Record<string, string>> = {
  'manufacturer.street': 'manufacturer.address',
  'records_contact.position': 'records_contact.name',
};

/**
 * Returns the paths, without list indexes, of request values that aren't restored when the request's Registry row is
 * imported. If every value in a top-level field is lost, returns only that field's path.
 *
 * @example lostFields(request, importRow(row, codes).request) // ['product_info.place_of_manufacture', 'certifier']
 */
export function lostFields(request: CertificateRequest, imported: ImportedRequest): readonly string[] {
  const restored = new Map<string, Set<unknown>>();
  for (const [path, value] of leavesOf(imported)) restored.set(path, (restored.get(path) ?? new Set()).add(value));
  const names = new Set<string>();
  for (const [field, value] of Object.entries(request)) {
    if (DOCUMENT_FIELDS.includes(field)) continue;
    const leaves = leavesOf(value, field);
    const lost = leaves.filter(([path, leaf]) => !restored.get(ALIASES[path] ?? path)?.has(leaf));
    if (lost.length === leaves.length && lost.length > 0) names.add(field);
    else for (const [path] of lost) names.add(path);
  }
  return [...names];
}

/** Returns the leaf values in a JSON value and their paths, without list indexes. */
function leavesOf(value: unknown, path = ''): (readonly [path: string, value: unknown])[] {
  if (Array.isArray(value)) return value.flatMap(each => leavesOf(each, path));
  if (typeof value !== 'object' || value === null) return value === undefined ? [] : [[path, value]];
  return Object.entries(value).flatMap(([key, each]) => leavesOf(each, path ? `${path}.${key}` : key));
}
