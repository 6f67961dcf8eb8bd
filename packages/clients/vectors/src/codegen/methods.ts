import type { OperationShape } from './document.ts';
import { pascal, refName } from './document.ts';
import { inlineType, type ModelField, type Named } from './types.ts';

/** Language-independent description of a client method. */
export interface Method {
  operation: OperationShape;
  /** Last part of the operation ID, such as `lookup`. */
  name: string;
  /**
   * Positional arguments: the required parameters of a `get` operation, or the only required field of a `post`
   * operation. If a `post` operation doesn't have exactly one required field, the whole request is the argument.
   */
  takes: ModelField[] | 'request';
  /** Path parameters of a `post` operation, which are positional arguments before `takes`. */
  path: ModelField[];
  /** Optional fields. */
  options: ModelField[];
  /** Name of the request model, or null for a `get` operation. */
  request: string | null;
  response: string;
  /**
   * Whether handwritten code splits the request into several requests. If false, the generated method sends a single
   * request.
   */
  isBatched: boolean;
  /** Request fields that must be lists, but that callers might set to a string by mistake. */
  lists: string[];
  /** Pagination of an operation that returns one page at a time, or null. */
  pages: Pages | null;
}

/** Pagination: the field that contains a page's items, and the parameter and response field for the next page. */
interface Pages {
  items: string;
  /** Type name of an item. */
  item: string;
  /** Parameter that selects a page. */
  cursor: string;
  /** Response field `next_<cursor>`, which contains the value of `cursor` for the next page. */
  next: ModelField;
}

/** Method group. For example, `tariff` has the method `lists` and the group `hts`. */
export interface MethodGroup {
  /** Leading parts of the operation IDs, such as `['tariff', 'hts']`. */
  path: string[];
  groups: MethodGroup[];
  methods: Method[];
}

/** Operations for which handwritten code in each client splits the request and merges the responses. */
const BATCHED = ['tariff.hts.lookup'];

/** Note appended to the description of a batched operation. */
const BATCHED_NOTE =
  'If you pass more than 1,000 codes, the client splits them into several requests for the same date and merges the responses.';

/** Returns the client methods as a tree whose root has the path `[]`. */
export function methodTree(operations: readonly OperationShape[], types: readonly Named[]): MethodGroup {
  const root: MethodGroup = { path: [], groups: [], methods: [] };
  for (const operation of operations) {
    const parts = operation.id.split('.');
    const name = parts.pop()!;
    let group = root;
    for (const [i, part] of parts.entries()) {
      const path = parts.slice(0, i + 1);
      let child = group.groups.find(each => each.path.at(-1) === part);
      if (!child) {
        child = { path, groups: [], methods: [] };
        group.groups.push(child);
      }
      group = child;
    }
    group.methods.push(methodOf(operation, name, types));
  }
  return root;
}

function methodOf(operation: OperationShape, name: string, types: readonly Named[]): Method {
  const response = refName(operation.response.$ref!);
  const isBatched = BATCHED.includes(operation.id);
  const request = operation.request ? refName(operation.request.$ref!) : null;
  const fields = fieldsOf(operation, types);
  const required = fields.filter(field => field.required);
  const options = fields.filter(field => !field.required);
  const path = request === null ? [] : operation.parameters.map(parameterField);
  const lists = request === null ? [] : fields.filter(({ type }) => type.kind === 'array').map(field => field.name);
  const base = { operation, name, path, request, response, isBatched, lists, pages: pagesOf(response, fields, types) };
  if (request !== null && required.length !== 1) return { ...base, takes: 'request', options: [] };
  return { ...base, takes: required, options };
}

/**
 * Returns the pagination of an operation, or null. An operation is paginated if its response has a list of objects and
 * a field `next_x`, where `x` is a parameter of the operation.
 */
function pagesOf(response: string, parameters: readonly ModelField[], types: readonly Named[]): Pages | null {
  const model = types.find(type => type.name === response);
  const fields = model?.kind === 'object' ? model.fields : [];
  const next = fields.find(({ name }) => parameters.some(each => name === `next_${each.name}`));
  const items = fields.find(({ type }) => type.kind === 'array' && type.of.kind === 'named');
  if (!next || items?.type.kind !== 'array' || items.type.of.kind !== 'named') return null;
  return { items: items.name, item: items.type.of.name, cursor: next.name.replace('next_', ''), next };
}

/** Returns the description of the method that iterates over all pages. */
export function pagesDescription({ pages }: Method): string {
  return `Iterates over the ${pages!.items} on all pages. Requests each page when its first item is needed.`;
}

function fieldsOf({ parameters, request }: OperationShape, types: readonly Named[]): ModelField[] {
  if (request) {
    const model = types.find(type => type.name === refName(request.$ref!));
    return model?.kind === 'object' ? model.fields : [];
  }
  return parameters.map(parameterField);
}

function parameterField({ name, required, description, schema }: OperationShape['parameters'][number]): ModelField {
  return { name, type: inlineType(schema), required, doc: description };
}

/** Returns all groups below the root, with each group before the groups that contain it. */
export function allGroups(root: MethodGroup): MethodGroup[] {
  return root.groups.flatMap(group => [...allGroups(group), group]);
}

/** Returns the class name of a group: the last part of its path, or the whole path if that name is already in use. */
export function groupName({ path }: MethodGroup, root: MethodGroup, types: readonly Named[], name = pascal): string {
  const last = name(path.at(-1)!);
  const others = allGroups(root).filter(group => group.path.at(-1) === path.at(-1));
  return others.length > 1 || types.some(type => type.name === last) ? path.map(name).join('') : last;
}

/** Returns the example request for an operation, split into positional and named arguments. */
export function exampleOf({ operation, path, takes, options }: Method) {
  const example = operation.examples[0] ?? {};
  const first = path.map(({ name }) => example[name]);
  if (takes === 'request') return { positional: first, named: {} };
  const named = options.filter(({ name }) => name in example).map(({ name }) => [name, example[name]] as const);
  return { positional: [...first, ...takes.map(({ name }) => example[name])], named: Object.fromEntries(named) };
}

/** Returns the description of a method, including the note for batched operations. */
export function descriptionOf({ operation, isBatched }: Method): string {
  return isBatched ? `${operation.description} ${BATCHED_NOTE}` : operation.description;
}

/** Breaks text into lines of at most `width` characters. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
