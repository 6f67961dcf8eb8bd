import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  buildSchema,
  type DocumentNode,
  defaultFieldResolver,
  type ExecutionResult,
  executeSync,
  type FragmentDefinitionNode,
  type GraphQLError,
  type GraphQLFieldResolver,
  getNamedType,
  getOperationAST,
  Kind,
  NoDeprecatedCustomRule,
  parse,
  specifiedRules,
  TypeInfo,
  validate,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import type { FakeShop } from '../shop/shop.ts';
import { checkAccess, scopesOfField } from './access.ts';
import { Bucket } from './bucket.ts';
import { costOf, costOfAnswer, MAX_COST } from './cost.ts';
import type { Faults } from './fault.ts';
import { bulkFields } from './fields/bulk.ts';
import { catalogFields } from './fields/catalog.ts';
import { fileFields } from './fields/files.ts';
import { flowFields } from './fields/flow.ts';
import { metafieldFields } from './fields/metafields.ts';
import type { ResolverContext } from './fields/resolver-context.ts';
import { billingFields, shopFields } from './fields/shop.ts';
import { themeFields } from './fields/themes.ts';
import { webhookFields } from './fields/webhooks.ts';
import { toJsonLines } from './json-lines.ts';

const schema = buildSchema(readFileSync(join(import.meta.dirname, '../schema.graphql'), 'utf8'));

/** Supported Admin API version. */
export const VERSION = '2026-10';

/** Returns Shopify's errors for a document, including errors for unknown and deprecated fields. */
export const faultsOfDocument = (text: string): string[] =>
  validate(schema, parse(text), [...specifiedRules, NoDeprecatedCustomRule]).map(({ message }) => message);

/** Returns the scopes that a document requires. If any one of several scopes is sufficient, returns only the first. */
export function scopesOfDocument(text: string): string[] {
  const types = new TypeInfo(schema);
  const needed = new Set<string>();
  const enter = () => {
    const [parent, field, returned] = [types.getParentType(), types.getFieldDef(), types.getType()];
    const lists =
      parent && field && returned ? scopesOfField(parent.name, field.name, getNamedType(returned).name) : [];
    for (const [first] of lists) needed.add(first!);
  };
  visit(parse(text), visitWithTypeInfo(types, { Field: { enter } }));
  return [...needed];
}

/** Cost information that each response to a valid document includes. */
type Cost = { cost: { requestedQueryCost: number; actualQueryCost: number | null; throttleStatus: Bucket['status'] } };
type Answer = Omit<ExecutionResult, 'errors' | 'extensions'> & {
  errors?: readonly (GraphQLError | { message: string; extensions?: object })[];
  extensions?: Cost;
};

/** Admin API for all fake shops. */
export class AdminApi {
  readonly #buckets = new Map<string, Bucket>();
  readonly #faults: Faults;
  readonly #clock: () => number;

  constructor(faults: Faults, clock: () => number = Date.now) {
    this.#faults = faults;
    this.#clock = clock;
  }

  bucket(domain: string): Bucket {
    const bucket = this.#buckets.get(domain) ?? new Bucket(this.#clock);
    this.#buckets.set(domain, bucket);
    return bucket;
  }

  /**
   * Responds to a GraphQL document as Shopify does: even error responses have status 200, and each response to a valid
   * document includes the remaining points.
   */
  answer(shop: FakeShop, text: string, variables: Record<string, unknown>): Answer {
    let document: DocumentNode;
    try {
      document = parse(text);
    } catch (error) {
      return { errors: [{ message: (error as Error).message }] };
    }
    const wrong = validate(schema, document, [...specifiedRules, NoDeprecatedCustomRule]);
    if (wrong.length > 0) return { errors: wrong };
    const operation = getOperationAST(document);
    if (!operation) return { errors: [{ message: 'The document must contain one operation' }] };
    const name = operation.name?.value ?? '';

    const bucket = this.bucket(shop.domain);
    const refused: GraphQLError[] = [];
    const requestedQueryCost = costOf(operation, {
      ...{ schema, variables, bulk: false },
      fragments: fragmentsOf(document),
      refuse: error => refused.push(error),
    });
    const extensions = (actualQueryCost: number | null): { extensions: Cost } => ({
      extensions: { cost: { requestedQueryCost, actualQueryCost, throttleStatus: bucket.status } },
    });
    const failed = (message: string, code: string): Answer => ({
      errors: [{ message, extensions: { code } }],
      ...extensions(null),
    });
    if (refused.length > 0) return { errors: refused };
    if (requestedQueryCost > MAX_COST) {
      const message = `Query cost is ${requestedQueryCost}, which exceeds the single query max cost limit (${MAX_COST}).`;
      return failed(message, 'MAX_COST_EXCEEDED');
    }
    if (this.#faults.take(name, ['throttled'], shop.domain) || !bucket.take(requestedQueryCost)) {
      return failed('Throttled', 'THROTTLED');
    }
    const error = this.#faults.take(name, ['error'], shop.domain);
    if (error) return failed('Internal error. Looks like something went wrong on our end.', error.code);

    const result = executeSync({
      schema,
      document,
      variableValues: variables,
      rootValue: this.#root(shop, name),
      fieldResolver: guarded(shop),
    });
    const actual = costOfAnswer(result.data, requestedQueryCost) + (operation.operation === 'mutation' ? 10 : 0);
    bucket.giveBack(Math.max(0, requestedQueryCost - actual));
    return { ...result, ...extensions(Math.min(actual, requestedQueryCost)) } as Answer;
  }

  #root(shop: FakeShop, operation: string) {
    const context: ResolverContext = {
      ...{ shop, operation },
      faults: this.#faults,
      clock: this.#clock,
      runBulk: query => this.#runBulk(shop, query),
    };
    return {
      ...shopFields(context),
      ...billingFields(context),
      ...themeFields(context),
      ...catalogFields(context),
      ...bulkFields(context),
      ...fileFields(context),
      ...metafieldFields(context),
      ...flowFields(context),
      ...webhookFields(context),
    };
  }

  #runBulk(shop: FakeShop, query: string): { lines: string[]; roots: number } {
    const document = parse(query);
    const [wrong] = validate(schema, document, [...specifiedRules, NoDeprecatedCustomRule]);
    if (wrong) throw wrong;
    checkBulk(document);
    const { data, errors } = executeSync({
      ...{ schema, document },
      rootValue: this.#root(shop, ''),
      fieldResolver: guarded(shop),
    });
    if (errors?.[0]) throw errors[0];
    const lines = [...toJsonLines(data)];
    return { lines, roots: lines.filter(line => !line.includes('"__parentId":')).length };
  }
}

/** Checks the access scopes for a field, and then resolves the field. */
const guarded =
  ({ scopes }: FakeShop): GraphQLFieldResolver<unknown, unknown> =>
  (source, args, context, info) => {
    checkAccess(scopes, info);
    return defaultFieldResolver(source, args, context, info);
  };

const fragmentsOf = (document: DocumentNode): Record<string, FragmentDefinitionNode> =>
  Object.fromEntries(
    document.definitions.flatMap(one => (one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one]] : [])),
  );

/** Checks that a bulk query is a single query with one to five connections, nested at most two levels deep. */
function checkBulk(document: DocumentNode): void {
  let connections = 0;
  let depth = 0;
  let deepest = 0;
  const types = new TypeInfo(schema);
  const isConnection = () => getNamedType(types.getType())?.name.endsWith('Connection') ?? false;
  const Field = {
    enter() {
      if (!isConnection()) return;
      connections++;
      deepest = Math.max(deepest, ++depth);
    },
    leave() {
      if (isConnection()) depth--;
    },
  };
  visit(document, visitWithTypeInfo(types, { Field }));
  if (getOperationAST(document)?.operation !== 'query') throw new Error('Must be a query');
  if (connections === 0) throw new Error('Bulk queries must contain at least one connection');
  if (connections > 5) throw new Error('Bulk queries cannot contain more than 5 connections');
  // The limit allows two levels of nesting below the outermost connection.
  if (deepest > 3) throw new Error('Bulk queries cannot contain connections nested deeper than 2 levels');
}
