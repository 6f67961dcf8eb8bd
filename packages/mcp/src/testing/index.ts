import { SAMPLE_REQUEST } from '@compliance/core/entry';
import { type CallToolResult, Client, type Transport } from '@modelcontextprotocol/client';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'vitest';

/** Protocol revisions that the test clients use: the newest one that the server supports, and the previous one. */
export const REVISIONS = { legacy: '2025-11-25', auto: '2026-07-28' } as const;

/** Connects the official MCP client. */
export async function connect(transport: Transport, mode: keyof typeof REVISIONS = 'auto'): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
  await client.connect(transport);
  expect(client.getNegotiatedProtocolVersion()).toBe(REVISIONS[mode]);
  return client;
}

/** A page with legacy tags, passed to `scan` in tests where pages aren't fetched. */
export const SCANNED_HTML = '<script>ga("create", "UA-12345-1", "auto"); ga("send", "pageview")</script>';

/** Calls for every tool that doesn't need stored certificates, with part of the expected structured content. */
export const CALLS: readonly { tool: string; args: Record<string, unknown>; expected: object }[] = [
  {
    tool: 'lookup',
    args: { codes: ['7318.15.2061', 'abc'], as_of: '2026-10-01', origin: 'JP' },
    expected: { results: [{ status: 'hit' }, { status: 'invalid' }], list: { known_through: expect.any(String) } },
  },
  {
    tool: 'assess',
    args: { code: '7326.90.8688', as_of: '2026-05-01', origin: 'CN', facts: { customs_value: 10000 } },
    expected: { duties: null, total_232_range: { min: 1000, max: 5000 }, known_through: expect.any(String) },
  },
  {
    tool: 'changes',
    args: { from: '2026-06-07', to: '2026-06-08', limit: 5 },
    expected: { counts: { moved: 65 }, omitted: expect.any(Number), known_through: expect.any(String) },
  },
  {
    tool: 'changes',
    args: { codes: ['9403.20.0075', 'x'], from: '2026-06-07', to: '2026-06-08' },
    expected: { added: [{ codes: ['9403.20.0075'] }], invalid_codes: [{ code: 'x' }], omitted: 0 },
  },
  {
    tool: 'changes',
    args: {},
    expected: {
      from: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      counts: { added: expect.any(Number) },
      known_through: expect.any(String),
    },
  },
  {
    tool: 'lists',
    args: { as_of: '2026-10-01' },
    expected: { version: expect.any(String), known_through: expect.any(String), as_of: '2026-10-01' },
  },
  {
    tool: 'scan',
    args: { url: 'https://shop.example/' },
    expected: { findings: expect.arrayContaining([expect.objectContaining({ rule_id: 'ga_analytics_js_legacy' })]) },
  },
  { tool: 'certify', args: SAMPLE_REQUEST, expected: { status: 'draft', completeness: { status: 'incomplete' } } },
  {
    tool: 'certify',
    args: { ...SAMPLE_REQUEST, certificate_type: 'CPC', age_grading: { marketing: 'children' } },
    expected: {
      status: 'draft',
      warnings: expect.arrayContaining([expect.objectContaining({ path: expect.any(String) })]),
      efiling_notice: expect.anything(),
    },
  },
  {
    tool: 'efiling',
    args: {
      certificate: { ...SAMPLE_REQUEST, efiling: { certifier_id: 'C-1', version_id: 'V-1' } },
      targets: ['fedex_reference', 'registry_csv', 'easypost'],
    },
    expected: {
      targets: [
        { status: 'ready', content: expect.stringContaining('"certifierId": "C-1"') },
        {
          status: 'incomplete',
          gaps: expect.arrayContaining([{ path: 'codes', message: expect.any(String) }]),
        },
        { status: 'unavailable' },
      ],
    },
  },
  {
    tool: 'read_registry',
    args: {
      csv: 'Product Name (Model),Lab 1 Name,Lab 1 Citation Codes,Notes\nHelmet,Pacific Labs,T1203,fragile',
      codes: { as_of: '2026-11-20', source: 'Our list', codes: { '16 CFR 1203': 'T1203' } },
    },
    expected: {
      rows: [
        {
          line: 2,
          request: { product_info: { name: 'Helmet' }, cpsc_rules_cited: ['16 CFR 1203'] },
        },
      ],
      unknown_columns: [{ column: 'Notes', rows: 1 }],
    },
  },
  { tool: 'explain', args: { id: 'gtm_not_in_head' }, expected: { kind: 'pixel_rule', known_through: '2026-11-21' } },
  { tool: 'explain', args: { id: '16 CFR 1203' }, expected: { kind: 'certificate_rule', id: '16-cfr-1203' } },
  { tool: 'explain', args: { id: 'steel-16n' }, expected: { kind: 'tariff_list', known_through: expect.any(String) } },
  { tool: 'explain', args: { id: 'rate_limited' }, expected: { kind: 'error_code' } },
];

/** Calls for the tools that need stored certificates. */
const storedCalls = ({ gcc, cpc }: StoredCertificates): typeof CALLS => [
  {
    tool: 'label',
    args: { id: gcc, file_type: 'zpl', dpi: 300 },
    expected: { gcc_id: gcc, status: 'draft', encoding: 'utf-8', content: expect.stringContaining('DRAFT') },
  },
  {
    tool: 'tracking_label',
    args: { id: cpc },
    expected: { gcc_id: cpc, encoding: 'base64', content: expect.stringMatching(/^JVBERi0/) },
  },
  { tool: 'due', args: { within: 30 }, expected: { plan: 'periodic', next_cursor: null } },
  {
    tool: 'verify',
    args: { id: gcc, sha256: '0'.repeat(64) },
    expected: { gcc_id: gcc, status: 'draft', comparison: 'changed' },
  },
];

/** IDs of a General Certificate of Conformity and a Children's Product Certificate that a server stores. */
interface StoredCertificates {
  readonly gcc: string;
  readonly cpc: string;
}

/**
 * Lists and calls every tool, and checks each result against the tool's output schema.
 *
 * @param scan additional arguments for `scan`
 * @param stored IDs of stored certificates, if the server stores certificates and therefore has tools for them, such as
 * `label`
 */
export async function callEveryTool(
  client: Client,
  { scan = {}, stored }: { scan?: object; stored?: StoredCertificates } = {},
): Promise<void> {
  const { tools } = await client.listTools();
  const calls = stored === undefined ? CALLS : [...CALLS, ...storedCalls(stored)];
  expect(tools.map(({ name }) => name).sort()).toEqual([...new Set(calls.map(({ tool }) => tool))].sort());
  for (const { tool: name, args, expected } of calls) {
    const tool = tools.find(each => each.name === name)!;
    const result = await client.callTool({ name, arguments: name === 'scan' ? { ...args, ...scan } : args });
    expect([name, result.isError, textOf(result)]).toEqual([name, undefined, expect.stringMatching(/\S/)]);
    expect(result.structuredContent).toMatchObject(expected);
    expect([name, schemaErrors(tool.outputSchema!, result.structuredContent)]).toEqual([name, []]);
    expect([name, textOf(result)]).toEqual([name, expect.stringMatching(/urrent through \d{4}-\d\d-\d\d/)]);
    const json = JSON.stringify(result.structuredContent);
    expect([name, json]).toEqual([name, expect.stringMatching(/"known_through":"\d{4}-\d\d-\d\d"/)]);
    expect([name, json]).toEqual([name, expect.stringMatching(/"citation":"[^"]|"sources":[[{]["{]/)]);
  }
}

/** Returns the text of a result's first content item, or an empty string if the item isn't text. */
export function textOf({ content }: Pick<CallToolResult, 'content'>): string {
  const [first] = content;
  return first?.type === 'text' ? first.text : '';
}

const ajv = new Ajv2020({ strict: false, validateFormats: false });

function schemaErrors(schema: object, value: unknown): unknown[] {
  ajv.validate(schema, value);
  return ajv.errors ?? [];
}
