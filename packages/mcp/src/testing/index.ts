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

/** At least one call for each tool, with part of the expected structured content. */
export const CALLS: readonly { tool: string; args: Record<string, unknown>; expected: object; isTariff?: true }[] = [
  {
    tool: 'lookup',
    args: { codes: ['7318.15.2061', 'abc'], as_of: '2026-10-01', origin: 'JP' },
    expected: { results: [{ status: 'hit' }, { status: 'invalid' }], list: { known_through: expect.any(String) } },
    isTariff: true,
  },
  {
    tool: 'assess',
    args: { code: '7326.90.8688', as_of: '2026-05-01', origin: 'CN', facts: { customs_value: 10000 } },
    expected: { duties: null, total_232_range: { min: 1000, max: 5000 }, known_through: expect.any(String) },
    isTariff: true,
  },
  {
    tool: 'changes',
    args: { from: '2026-06-07', to: '2026-06-08', limit: 5 },
    expected: { counts: { moved: 65 }, omitted: expect.any(Number), known_through: expect.any(String) },
    isTariff: true,
  },
  {
    tool: 'changes',
    args: { codes: ['9403.20.0075', 'x'], from: '2026-06-07', to: '2026-06-08' },
    expected: { added: [{ codes: ['9403.20.0075'] }], invalid_codes: [{ code: 'x' }], omitted: 0 },
    isTariff: true,
  },
  {
    tool: 'changes',
    args: {},
    expected: {
      from: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      counts: { added: expect.any(Number) },
      known_through: expect.any(String),
    },
    isTariff: true,
  },
  {
    tool: 'lists',
    args: { as_of: '2026-10-01' },
    expected: { version: expect.any(String), known_through: expect.any(String), as_of: '2026-10-01' },
    isTariff: true,
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
  { tool: 'explain', args: { id: 'gtm_not_in_head' }, expected: { kind: 'pixel_rule', known_through: null } },
  { tool: 'explain', args: { id: '16 CFR 1203' }, expected: { kind: 'certificate_rule', id: '16-cfr-1203' } },
  { tool: 'explain', args: { id: 'steel-16n' }, expected: { kind: 'tariff_list', known_through: expect.any(String) } },
  { tool: 'explain', args: { id: 'rate_limited' }, expected: { kind: 'error_code' } },
];

/**
 * Lists and calls every tool, and checks each result against the tool's output schema.
 *
 * @param scanArguments further arguments of `scan`
 */
export async function callEveryTool(client: Client, scanArguments: object = {}): Promise<void> {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name).sort()).toEqual([...new Set(CALLS.map(({ tool }) => tool))].sort());
  for (const { tool: name, args, expected, isTariff } of CALLS) {
    const tool = tools.find(each => each.name === name)!;
    const result = await client.callTool({ name, arguments: name === 'scan' ? { ...args, ...scanArguments } : args });
    expect([name, result.isError, textOf(result)]).toEqual([name, undefined, expect.stringMatching(/\S/)]);
    expect(result.structuredContent).toMatchObject(expected);
    expect([name, schemaErrors(tool.outputSchema!, result.structuredContent)]).toEqual([name, []]);
    if (isTariff) {
      expect(textOf(result)).toMatch(/Lists known through \d{4}-\d\d-\d\d \(data set \S+\)/);
      expect(JSON.stringify(result.structuredContent)).toMatch(/"(citation|sources)":/);
    }
  }
}

/** Returns the first text of a result. */
export function textOf({ content }: Pick<CallToolResult, 'content'>): string {
  const [first] = content;
  return first?.type === 'text' ? first.text : '';
}

const ajv = new Ajv2020({ strict: false, validateFormats: false });

function schemaErrors(schema: object, value: unknown): unknown[] {
  ajv.validate(schema, value);
  return ajv.errors ?? [];
}
