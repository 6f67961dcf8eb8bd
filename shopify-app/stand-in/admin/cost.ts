import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLError,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isInterfaceType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  GraphQLError as Refused,
  type SelectionSetNode,
} from 'graphql';

/** The most that one query may cost. */
export const MAX_COST = 1_000;

/** The most that a connection gives at once. */
const MAX_FIRST = 250;
const MAX_FILES = 2_500;

type Asked = {
  readonly schema: GraphQLSchema;
  readonly fragments: Readonly<Record<string, FragmentDefinitionNode>>;
  readonly variables: Readonly<Record<string, unknown>>;
  /** A bulk operation gives all of a connection: it names no size. */
  readonly bulk: boolean;
  readonly refuse: (error: GraphQLError) => void;
};

/**
 * What a query may cost, in points: nothing for a value, 1 for an object, 10 for a mutation, as Shopify's page on limits
 * has it. What a connection costs is not published any more. The one measured example at hand, 25 points for
 * `product { variants(first: 250) { nodes { inventoryItem { id } } } }`, is met by a node's cost times 1.5 · log2(size + 1).
 */
export function costOf(operation: OperationDefinitionNode, asked: Asked): number {
  const root = asked.schema.getRootType(operation.operation)!;
  const base = operation.operation === 'mutation' ? 10 * operation.selectionSet.selections.length : 0;
  return base + costOfSelection(operation.selectionSet, root, asked);
}

function costOfSelection(set: SelectionSetNode, type: GraphQLOutputType, asked: Asked): number {
  let fields = 0;
  let most = 0;
  for (const selection of set.selections) {
    if (selection.kind === Kind.FIELD) fields += costOfField(selection, type, asked);
    else {
      const { typeCondition, selectionSet } =
        selection.kind === Kind.INLINE_FRAGMENT ? selection : asked.fragments[selection.name.value]!;
      const narrowed = typeCondition ? asked.schema.getType(typeCondition.name.value) : type;
      most = Math.max(most, costOfSelection(selectionSet, narrowed as GraphQLOutputType, asked));
    }
  }
  return fields + most;
}

function costOfField(field: FieldNode, parent: GraphQLOutputType, asked: Asked): number {
  if (!isObjectType(parent) && !isInterfaceType(parent)) return 0;
  const definition = parent.getFields()[field.name.value];
  if (!definition || !field.selectionSet) return 0;
  const type = getNamedType(definition.type);
  if (!isCompositeType(type)) return 0;
  const inside = costOfSelection(field.selectionSet, type as GraphQLOutputType, asked);
  if (/(Edge|PageInfo|Payload)$/.test(type.name)) return inside;
  if (!type.name.endsWith('Connection')) return 1 + inside;
  return Math.ceil(inside * 1.5 * Math.log2(sizeOf(field, asked) + 1));
}

function sizeOf(field: FieldNode, { variables, bulk, refuse }: Asked): number {
  const argument = field.arguments?.find(({ name }) => name.value === 'first' || name.value === 'last');
  const size =
    argument?.value.kind === Kind.VARIABLE
      ? variables[argument.value.name.value]
      : argument?.value.kind === Kind.INT
        ? Number(argument.value.value)
        : undefined;
  const most = field.name.value === 'files' ? MAX_FILES : MAX_FIRST;
  if (typeof size === 'number' && (size < 0 || size > most)) {
    refuse(new Refused(`first is out of range: 0 to ${most}`, { nodes: field, extensions: { code: 'BAD_REQUEST' } }));
  }
  if (typeof size === 'number') return size;
  if (field.name.value !== 'files' && !bulk) {
    const message = `you must provide one of first or last`;
    refuse(new Refused(message, { nodes: field, extensions: { code: 'BAD_REQUEST' } }));
  }
  return 50;
}

/** What an answer cost: its objects are counted; never more than was asked. */
export function costOfAnswer(data: unknown, requested: number): number {
  const count = (value: unknown): number => {
    if (Array.isArray(value)) return value.reduce((sum: number, one) => sum + count(one), 0);
    if (typeof value !== 'object' || value === null) return 0;
    return 1 + Object.values(value).reduce((sum: number, one) => sum + count(one), 0);
  };
  return Math.min(requested, Math.max(1, count(data) - 1));
}
