import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLError,
  GraphQLError as GraphQLErrorClass,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isInterfaceType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';

/** Maximum cost of one query, in points. */
export const MAX_COST = 1_000;

/** Maximum page sizes: the first for most connections, and the second for `files` connections. */
const MAX_FIRST = 250;
const MAX_FILES = 2_500;

type CostContext = {
  readonly schema: GraphQLSchema;
  readonly fragments: Readonly<Record<string, FragmentDefinitionNode>>;
  readonly variables: Readonly<Record<string, unknown>>;
  /**
   * Whether the query is for a bulk operation, which returns all items in a connection and doesn't need a page size.
   */
  readonly bulk: boolean;
  readonly refuse: (error: GraphQLError) => void;
};

/**
 * Returns a query's requested cost (the cost before execution), in points. According to Shopify's API limits page, a
 * scalar costs 0 points, an object costs 1 point, and a mutation costs 10 points. Shopify no longer publishes the cost
 * of a connection. The only measured example, 25 points for
 * `product { variants(first: 250) { nodes { inventoryItem { id } } } }`, matches the cost of one node multiplied by
 * 1.5 · log2(size + 1).
 */
export function costOf(operation: OperationDefinitionNode, context: CostContext): number {
  const root = context.schema.getRootType(operation.operation)!;
  const base = operation.operation === 'mutation' ? 10 * operation.selectionSet.selections.length : 0;
  return base + costOfSelection(operation.selectionSet, root, context);
}

function costOfSelection(set: SelectionSetNode, type: GraphQLOutputType, context: CostContext): number {
  let fields = 0;
  let most = 0;
  for (const selection of set.selections) {
    if (selection.kind === Kind.FIELD) fields += costOfField(selection, type, context);
    else {
      const { typeCondition, selectionSet } =
        selection.kind === Kind.INLINE_FRAGMENT ? selection : context.fragments[selection.name.value]!;
      const narrowed = typeCondition ? context.schema.getType(typeCondition.name.value) : type;
      most = Math.max(most, costOfSelection(selectionSet, narrowed as GraphQLOutputType, context));
    }
  }
  return fields + most;
}

function costOfField(field: FieldNode, parent: GraphQLOutputType, context: CostContext): number {
  if (!isObjectType(parent) && !isInterfaceType(parent)) return 0;
  const definition = parent.getFields()[field.name.value];
  if (!definition || !field.selectionSet) return 0;
  const type = getNamedType(definition.type);
  if (!isCompositeType(type)) return 0;
  const inside = costOfSelection(field.selectionSet, type as GraphQLOutputType, context);
  if (/(Edge|PageInfo|Payload)$/.test(type.name)) return inside;
  if (!type.name.endsWith('Connection')) return 1 + inside;
  return Math.ceil(inside * 1.5 * Math.log2(sizeOf(field, context) + 1));
}

function sizeOf(field: FieldNode, { variables, bulk, refuse }: CostContext): number {
  const argument = field.arguments?.find(({ name }) => name.value === 'first' || name.value === 'last');
  const size =
    argument?.value.kind === Kind.VARIABLE
      ? variables[argument.value.name.value]
      : argument?.value.kind === Kind.INT
        ? Number(argument.value.value)
        : undefined;
  const most = field.name.value === 'files' ? MAX_FILES : MAX_FIRST;
  if (typeof size === 'number' && (size < 0 || size > most)) {
    refuse(
      new GraphQLErrorClass(`first is out of range: 0 to ${most}`, {
        nodes: field,
        extensions: { code: 'BAD_REQUEST' },
      }),
    );
  }
  if (typeof size === 'number') return size;
  if (field.name.value !== 'files' && !bulk) {
    const message = `you must provide one of first or last`;
    refuse(new GraphQLErrorClass(message, { nodes: field, extensions: { code: 'BAD_REQUEST' } }));
  }
  return 50;
}

/**
 * Returns the actual cost of a response: the number of objects that it contains, but never more than the requested
 * cost.
 */
export function costOfAnswer(data: unknown, requested: number): number {
  const count = (value: unknown): number => {
    if (Array.isArray(value)) return value.reduce((sum: number, one) => sum + count(one), 0);
    if (typeof value !== 'object' || value === null) return 0;
    return 1 + Object.values(value).reduce((sum: number, one) => sum + count(one), 0);
  };
  return Math.min(requested, Math.max(1, count(data) - 1));
}
