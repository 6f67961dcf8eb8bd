import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  buildSchema,
  type DocumentNode,
  execute,
  getOperationAST,
  Kind,
  NoDeprecatedCustomRule,
  parse,
  specifiedRules,
  validate,
  visit,
} from 'graphql';
import type { StandInShop } from '../shop/shop.ts';
import { Bucket } from './bucket.ts';
import { type Bulk, jsonLines } from './bulk.ts';
import type { Faults } from './fault.ts';
import { rootOf, SCOPES } from './resolvers.ts';

const schema = buildSchema(readFileSync(join(import.meta.dirname, '../schema.graphql'), 'utf8'));

/** Whether Shopify would take a document: nothing unknown in it and nothing deprecated. Gives what is wrong. */
export const faultsOfDocument = (text: string): string[] =>
  validate(schema, parse(text), [...specifiedRules, NoDeprecatedCustomRule]).map(({ message }) => message);

/** The scopes that the root fields of a document need. */
export function scopesOfDocument(text: string): string[] {
  const operation = getOperationAST(parse(text));
  const fields =
    operation?.selectionSet.selections.flatMap(field => (field.kind === Kind.FIELD ? field.name.value : [])) ?? [];
  return [...new Set(fields.flatMap(field => SCOPES[field] ?? []))];
}

/** Shopify's Admin API for all shops of the stand-in. */
export class AdminApi {
  readonly #buckets = new Map<string, Bucket>();
  readonly #bulks = new Map<string, Map<string, Bulk>>();
  readonly #faults: Faults;

  constructor(faults: Faults) {
    this.#faults = faults;
  }

  bucket(domain: string): Bucket {
    const bucket = this.#buckets.get(domain) ?? new Bucket();
    this.#buckets.set(domain, bucket);
    return bucket;
  }

  /** Answers a document as Shopify does: errors come with status 200, and with what the shop has left. */
  async answer(shop: StandInShop, text: string, variables: Record<string, unknown>): Promise<object> {
    let document: DocumentNode;
    try {
      document = parse(text);
    } catch (error) {
      return { errors: [{ message: (error as Error).message }] };
    }
    const wrong = faultsOfDocument(text);
    if (wrong.length > 0) return { errors: wrong.map(message => ({ message })) };
    const name = getOperationAST(document)?.name?.value ?? '';
    const bucket = this.bucket(shop.domain);
    const requestedQueryCost = costOf(document, variables);
    const cost = () => ({
      cost: { requestedQueryCost, actualQueryCost: requestedQueryCost, throttleStatus: bucket.status },
    });
    if (this.#faults.take(name, ['throttled']) || !bucket.take(requestedQueryCost))
      return { errors: [{ message: 'Throttled', extensions: { code: 'THROTTLED' } }], extensions: cost() };
    const missing = scopesOfDocument(text).find(
      scope => !shop.scopes.has(scope) && !shop.scopes.has(scope.replace('read_', 'write_')),
    );
    if (missing)
      return {
        errors: [
          {
            message: `Access denied. Required access: \`${missing}\` access scope.`,
            extensions: { code: 'ACCESS_DENIED' },
          },
        ],
        data: null,
        extensions: cost(),
      };
    const result = await execute({
      schema,
      document,
      variableValues: variables,
      rootValue: rootOf(shop, this.#bulksOf(shop), this.#faults, name),
    });
    return { ...result, extensions: cost() };
  }

  /** The lines of an ended bulk operation; null when there is none of this number. */
  async bulkLines(shop: StandInShop, number: string): Promise<string[] | null> {
    const bulk = this.#bulksOf(shop).get(`gid://shopify/BulkOperation/${number}`);
    if (!bulk) return null;
    if (!bulk.lines) {
      const { data } = await execute({
        schema,
        document: parse(bulk.query),
        rootValue: rootOf(shop, new Map(), this.#faults, ''),
      });
      bulk.lines = [...jsonLines(data)];
    }
    return bulk.failAfter === null ? bulk.lines : bulk.lines.slice(0, bulk.failAfter);
  }

  #bulksOf({ domain }: StandInShop): Map<string, Bulk> {
    const bulks = this.#bulks.get(domain) ?? new Map<string, Bulk>();
    this.#bulks.set(domain, bulks);
    return bulks;
  }
}

/** Points of a query: one for each object that it may give, roughly as Shopify counts. */
function costOf(document: DocumentNode, variables: Record<string, unknown>): number {
  let cost = 1;
  visit(document, {
    Argument({ name, value }) {
      if (name.value !== 'first') return;
      const first =
        value.kind === Kind.INT
          ? Number(value.value)
          : value.kind === Kind.VARIABLE
            ? Number(variables[value.name.value])
            : 0;
      cost += Math.ceil((first || 0) / 2);
    },
  });
  return Math.min(cost, 1_000);
}
