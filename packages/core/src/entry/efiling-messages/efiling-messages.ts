/**
 * English messages about eFiling data, by ID. A name in braces is a parameter. Translations have the same parameters.
 */
export const EFILING_MESSAGES = {
  certificate_required: 'A certificate is required',
  column_required: '{column} is required',
  column_too_long: '{column} can have at most {limit} characters',
  codes_required: 'Provide a list of citation codes that covers every tested rule',
  code_missing: 'The code list doesn’t contain a code for {citation}',
  code_unlisted: 'The code list doesn’t contain code {code}',
  lab_id_required: '{lab} needs an alternate ID or a CPSC lab ID',
  lot_assigner_required: 'Lot Number Assigned By is required if there’s a lot number',
  too_many_labs: 'The known CSV format has columns for only two laboratories',
  exclusions_without_column: 'The known CSV format has no column for testing exclusions',
  product_id_repeated: 'Each variant needs its own product ID, but several have {id}',
  product_id_required: 'A product ID is required',
  product_id_too_long: 'The product ID can have at most {limit} characters',
  product_id_type_required: 'The product ID type is required',
  product_id_with_variants:
    'One product ID can’t identify several variants. To use each variant’s own ID, remove the product ID',
  registry_product_id_too_long: 'The product ID in the Product Registry can have at most {limit} characters',
  certifier_id_required: 'The certifier ID in the Product Registry is required',
  certifier_id_too_long: 'The certifier ID can have at most {limit} characters',
  version_id_required: 'The version ID in the Product Registry is required',
  version_id_too_long: 'The version ID can have at most {limit} characters',
  disclaim_code_required: 'Set the disclaim code to `A` or `B`',
  disclaim_code_contradicted:
    'Disclaim code A means that CPSC doesn’t regulate the product, but the certificate cites {citation}',
  intended_use_required: 'An intended use code is required',
  intended_use_invalid:
    'The intended use code must be a base code (081, 090, 100, 130, 155, 940, 970, or 980) followed by a period and three digits, such as 130.006',
  intended_use_not_with_code_a: 'The codes 130.001 to 130.005 aren’t allowed with disclaim code A',
  intended_use_not_with_code_b: 'With disclaim code B, the only allowed code that starts with 130 is 130.006',
  description_required: 'A description is required for the intended use code 980.000',
  description_too_long: 'The description can have at most {limit} characters',
  draft_certificate:
    'This certificate is a draft, because the certifier hasn’t attested to it or a required third-party test is missing. Don’t file the data until the certificate is complete.',
  incomplete_certificate:
    'This certificate is incomplete. Don’t file its data until you provide the missing elements and correct the contradictions.',
  registry_template_unread:
    'The 83 columns, the required columns, and the maximum column lengths come from third-party software. We didn’t have access to CPSC’s own template.',
  codes_from_list:
    'Citation codes are from your list dated {date} ({source}). We didn’t check them against CPSC’s list.',
  childrens_facts_without_column:
    'The known CSV format has no columns for ages, ASTM F963 sections, or tracking labels.',
  fields_lost: 'Omitted from the row, in whole or in part: {fields}.',
  fedex_sources:
    'On 2026-11-26, we took the field names and lengths from public SDKs for FedEx’s Ship API and from a Spanish-language copy of FedEx’s documentation. We didn’t have access to FedEx’s current OpenAPI document.',
  fedex_details_type:
    'FedEx’s documentation describes `details` as an array, but the SDKs define it as an object, and the message uses an object.',
  fedex_add_values:
    'The message contains only part of a shipment request. Copy its values to the corresponding commodity in your own shipment request.',
  fedex_certifier_field:
    'The certifier ID field is called `certificateId` in FedEx’s documentation but `certifierId` in the SDKs. The message uses `certifierId`.',
  registration_unchecked:
    'We didn’t check whether the certificate is in the Product Registry. If it isn’t registered yet, register it before you ship.',
  intended_use_unchecked:
    'The message uses the intended use code exactly as you entered it. We checked only the code’s format, its base code, and whether the code is valid with the disclaim code. The definitions are in Appendix R of CBP’s ACE CATAIR, which we couldn’t access.',
  base_code_245:
    'We don’t accept base code 245. The SDKs give 245.001 as an example of an intended use code, but FedEx’s documentation doesn’t list that base code.',
  disclaimer_responsibility:
    'The certifier is responsible for the disclaimer. We didn’t check whether the product needs a certificate.',
  registry_api_unavailable:
    'Not available: the schema couldn’t be confirmed. We had access only to the cover, change log, and table of contents of CPSC’s eFiling API Specifications 2.0 (2024-08-02).',
  fedex_full_unavailable:
    'Not available: the schema couldn’t be confirmed. FedEx accepts the full message only through its Regulatory API, whose fields we couldn’t confirm. FedEx’s Ship API accepts the reference message.',
  easypost_unavailable:
    'Not available: the schema couldn’t be confirmed. EasyPost’s guide says that a customs item can contain the certifier ID, product ID, and version ID, but we couldn’t confirm the field names.',
  shipstation_unavailable:
    'Not available: the schema couldn’t be confirmed. ShipStation’s guide says that a shipment can contain CPSC data, but we couldn’t confirm the field names.',
} as const satisfies Readonly<Record<string, string>>;

/** ID of a message about eFiling data. */
export type EfilingMessageId = keyof typeof EFILING_MESSAGES;

/** A message's ID, and a value for each of its parameters. */
export interface EfilingMessage {
  readonly message_id: EfilingMessageId;
  readonly message_values: Readonly<Record<string, string>>;
}

/** Translations of the messages into one language, by ID. */
export interface EfilingTranslation {
  readonly efiling: Readonly<Partial<Record<string, string>>>;
}

/** Returns a message ID with its parameter values. */
export const efilingMessage = (
  message_id: EfilingMessageId,
  message_values: EfilingMessage['message_values'] = {},
): EfilingMessage => ({ message_id, message_values });

/**
 * Returns a message's text in English or in the translation's language. A message without a translation is in English.
 *
 * @example messageText(efilingMessage('code_missing', { citation: '16 CFR 1203' })) // 'The code list doesn’t contain a code for 16 CFR 1203'
 */
export function messageText(
  { message_id, message_values }: EfilingMessage,
  { efiling }: EfilingTranslation = { efiling: EFILING_MESSAGES },
): string {
  const text = (Object.hasOwn(efiling, message_id) && efiling[message_id]) || EFILING_MESSAGES[message_id];
  return text.replace(/\{(\w+)\}/g, (parameter, name: string) => message_values[name] ?? parameter);
}
