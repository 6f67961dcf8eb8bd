import * as z from 'zod';
import consentModeFacts from './consent-mode.json' with { type: 'json' };
import ga4Facts from './ga4.json' with { type: 'json' };
import currencyFacts from './iso-4217.json' with { type: 'json' };
import metaFacts from './meta.json' with { type: 'json' };
import pinterestFacts from './pinterest.json' with { type: 'json' };
import tiktokFacts from './tiktok.json' with { type: 'json' };

// If a contract's source or date is missing, validation fails and the module doesn't load.

const name = z.string().min(1);
const cited = { source: z.url({ protocol: /^https$/ }), known: z.iso.date() };

const Event = z.strictObject({
  /** Whether the event reports an order. */
  conversion: z.boolean().default(false),
  required: z.array(name).default([]),
  /** Groups of parameters. The vendor recommends at least one parameter from each group. */
  recommended: z.array(z.array(name).min(1)).default([]),
});

const Contract = z.strictObject({
  ...cited,
  vendor: z.enum(['meta', 'google', 'pinterest', 'tiktok']),
  /** Pattern for text that the vendor accepts as a number. */
  numeric_text: z.string().transform(pattern => new RegExp(pattern)),
  parameters: z.record(name, z.enum(['number', 'currency', 'text', 'items'])),
  /** Parameters that identify an item. Each item needs at least one of these parameters. */
  item_ids: z.array(name).default([]),
  /** Whether an event with a `value` parameter must also have a `currency` parameter. */
  currency_with_value: z.boolean(),
  events: z.record(name, Event),
  /** Event names and event name prefixes that the vendor reserves. */
  reserved: z.strictObject({ ...cited, names: z.array(name), prefixes: z.array(name) }).optional(),
});

/** A vendor's event requirements, with their documentation URL and the date they were checked. */
export type EventContract = z.output<typeof Contract>;

const ConsentMode = z.strictObject({
  ...cited,
  vendor: z.literal('google'),
  required: z.array(name).min(1),
  other: z.array(name),
  values: z.array(name).min(1),
  settings: z.array(name),
});

const Currencies = z.strictObject({ ...cited, name, codes: z.array(z.string().regex(/^[A-Z]{3}$/)).min(1) });

/**
 * Validates a contract.
 *
 * @throws `ZodError` if a required field is missing, such as the source or its date.
 */
export const parseContract = (facts: unknown): EventContract => Contract.parse(facts);

/** Contract for standard Meta pixel events. */
export const metaContract = parseContract(metaFacts);

/** Contract for recommended Google Analytics 4 e-commerce events. */
export const ga4Contract = parseContract(ga4Facts);

/** Contract for values and currencies in TikTok e-commerce events. */
export const tiktokContract = parseContract(tiktokFacts);

/**
 * Contract for values and currencies in Pinterest e-commerce events. Event names are in lowercase without separators.
 */
export const pinterestContract = parseContract(pinterestFacts);

/** Google consent mode parameters and their values. */
export const consentMode = ConsentMode.parse(consentModeFacts);

/** Current and former ISO 4217 currency codes, in uppercase. Former codes can occur in refunds for old orders. */
export const currencyCodes: ReadonlySet<string> = new Set(Currencies.parse(currencyFacts).codes);
