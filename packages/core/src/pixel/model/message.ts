import { MESSAGE_TERMS } from './terms.ts';

/** Messages by ID. A message can contain parameters in braces, such as `{id}`. */
export type MessageTexts = Readonly<Record<string, string>>;

/** Message parameter names. */
type ParametersOf<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParametersOf<Rest>
  : never;

/** ID of a term, which is a translated phrase in a message. */
export type TermId = keyof typeof MESSAGE_TERMS;

/** A phrase in a message, such as `pixel ID`. Terms are translated separately from the message. */
export interface MessageTerm {
  readonly term: TermId;
  readonly values?: MessageValues;
}

type MessagePart = string | number | MessageTerm;

/**
 * Parameter value. A list is joined with commas, and an `and` list is formatted as in a sentence, such as "a, b, and
 * c". Text from the page is inserted unchanged: parameters in it aren't replaced, and HTML in it isn't interpreted.
 */
type MessageValue = MessagePart | readonly MessagePart[] | { readonly and: readonly MessagePart[] };

/** Message parameter values by name. */
export type MessageValues = Readonly<Record<string, MessageValue>>;

/** The values that a message needs, or no values if the message has no parameters. */
type ValuesFor<Text extends string, Provided extends string = never> = [Exclude<ParametersOf<Text>, Provided>] extends [
  never,
]
  ? { readonly values?: undefined }
  : { readonly values: Readonly<Record<Exclude<ParametersOf<Text>, Provided>, MessageValue>> };

/**
 * A message from `Texts` with its parameter values. `Provided` names the parameters that every message receives
 * automatically.
 */
export type ReportedMessage<Texts extends MessageTexts, Provided extends string = never> = {
  [Id in keyof Texts & string]: { readonly message: Id } & ValuesFor<Texts[Id], Provided>;
}[keyof Texts & string];

/**
 * Returns a term with its parameter values.
 *
 * @example term('more_events', { count: 4 })
 */
export const term = <Id extends TermId>(
  id: Id,
  ...[values]: ValuesFor<(typeof MESSAGE_TERMS)[Id]> extends { readonly values: infer Values } ? [values: Values] : []
): MessageTerm => (values === undefined ? { term: id } : { term: id, values: values as MessageValues });

/** A language and its terms. Missing terms are shown in English. */
export interface MessageLanguage {
  /** BCP 47 language tag. */
  readonly locale: string;
  readonly terms: Readonly<Partial<Record<string, string>>>;
}

const ENGLISH: MessageLanguage = { locale: 'en-US', terms: MESSAGE_TERMS };

/** Returns a message's parameters, in order of first use. */
export const messageParameters = (text: string): string[] => [
  ...new Set([...text.matchAll(PARAMETER)].map(([, name]) => name!)),
];

/**
 * Inserts values into a message. Each parameter is replaced once, so braces in a value are never interpreted.
 * Parameters without a value are left as is.
 *
 * @example
 * formatMessage('{id} is configured {count} times.', { id: 'G-ABC', count: 2 }) // 'G-ABC is configured 2 times.'
 */
export function formatMessage(text: string, values: MessageValues = {}, language = ENGLISH): string {
  return text.replace(PARAMETER, (parameter, name: string) =>
    Object.hasOwn(values, name) ? formatValue(values[name]!, language) : parameter,
  );
}

/** Returns whether all parameters in a message and in its terms have values, and whether all terms are known. */
export function hasEveryValue(text: string, values: MessageValues = {}): boolean {
  const isPartComplete = (part: MessagePart): boolean =>
    typeof part !== 'object' ||
    (Object.hasOwn(MESSAGE_TERMS, part.term) && hasEveryValue(MESSAGE_TERMS[part.term], part.values));
  return (
    messageParameters(text).every(name => Object.hasOwn(values, name)) &&
    Object.values(values).flatMap(partsOf).every(isPartComplete)
  );
}

const PARAMETER = /\{([a-z]\w*)\}/g;

/** Returns a parameter value as text. */
export function formatValue(value: MessageValue, language = ENGLISH): string {
  if (isList(value)) return value.map(part => formatValue(part, language)).join(', ');
  if (typeof value !== 'object') return String(value);
  if ('and' in value)
    return new Intl.ListFormat(language.locale).format(value.and.map(part => formatValue(part, language)));
  return formatTerm(value, language);
}

/** Returns a term as text. */
export const formatTerm = ({ term: id, values }: MessageTerm, language = ENGLISH): string =>
  formatMessage(language.terms[id] ?? MESSAGE_TERMS[id], values, language);

/** Applies a function to every string in message values. */
export function mapText(values: MessageValues, change: (text: string) => string): MessageValues {
  const inPart = (part: MessagePart): MessagePart => {
    if (typeof part === 'string') return change(part);
    return typeof part === 'object' && part.values ? { ...part, values: mapText(part.values, change) } : part;
  };
  const inValue = (value: MessageValue): MessageValue => {
    if (isList(value)) return value.map(inPart);
    return typeof value === 'object' && 'and' in value ? { and: value.and.map(inPart) } : inPart(value);
  };
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, inValue(value)]));
}

/** Returns a value's parts: the items of a list or an `and` list, or the value itself. */
const partsOf = (value: MessageValue): readonly MessagePart[] => {
  if (isList(value)) return value;
  return typeof value === 'object' && 'and' in value ? value.and : [value];
};

const isList = (value: MessageValue): value is readonly MessagePart[] => Array.isArray(value);
