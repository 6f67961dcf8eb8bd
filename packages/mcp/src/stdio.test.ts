import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { attachmentsIn, readCertificateFile, SAMPLE_REQUEST } from '@compliance/core/entry';
import type { Client } from '@modelcontextprotocol/client';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callEveryTool, connect, SCANNED_HTML, textOf } from './testing/index.ts';

const ARGS = ['--conditions=@compliance/source', fileURLToPath(new URL('main.ts', import.meta.url))];
const reports = mkdtempSync(join(tmpdir(), 'reports-'));
writeFileSync(join(reports, 'report.pdf'), '%PDF-1.7 report');
const env = { ...getDefaultEnvironment(), COMPLIANCE_ATTACHMENTS: reports };
const start = () => new StdioClientTransport({ command: process.execPath, args: ARGS, env, stderr: 'inherit' });

let client: Client;
beforeAll(async () => {
  client = await connect(start());
});
afterAll(async () => {
  await client.close();
});

describe('the MCP server over standard input and output', () => {
  it('responds to every tool call in the newest protocol revision', async () => {
    await callEveryTool(client, { scan: { html: SCANNED_HTML } });
  });

  it('responds to every tool call in the previous protocol revision', async () => {
    const previous = await connect(start(), 'legacy');
    await callEveryTool(previous, { scan: { html: SCANNED_HTML } });
    await previous.close();
  });

  it('returns a certificate’s PDF with its hash', async () => {
    const result = await client.callTool({ name: 'certify', arguments: SAMPLE_REQUEST });
    const [, attachment] = result.content;
    if (attachment?.type !== 'resource' || !('blob' in attachment.resource)) throw new Error('no PDF');
    const pdf = Buffer.from(attachment.resource.blob, 'base64');
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    const sha256 = createHash('sha256').update(pdf).digest('hex');
    expect(result.structuredContent).toMatchObject({ pdf: { bytes: pdf.length, sha256, attached: true } });
  });

  it('attaches files from the attachments folder and from the arguments, and never reads other files', async () => {
    const certify = async (...attachments: object[]) =>
      await client.callTool({ name: 'certify', arguments: { ...SAMPLE_REQUEST, attachments } });
    const photo = { filename: 'photo.png', content: 'iVBORw0KGgoA' };
    const { content, structuredContent } = await certify({ filename: 'report.pdf' }, photo);
    expect(structuredContent).toMatchObject({
      record: {
        attachments: [
          { filename: 'report.pdf', size: 15 },
          { filename: 'photo.png', size: 9 },
        ],
      },
    });
    const [, attached] = content;
    if (attached?.type !== 'resource' || !('blob' in attached.resource)) throw new Error('no PDF');
    const pdf = Buffer.from(attached.resource.blob, 'base64');
    const [report] = attachmentsIn(pdf, readCertificateFile(pdf).record!);
    expect(Buffer.from(report!.bytes).toString()).toBe('%PDF-1.7 report');
    for (const filename of [`../${basename(reports)}/report.pdf`, '/etc/hostname'])
      expect(await certify({ filename })).toMatchObject({
        isError: true,
        _meta: { error: { issues: [{ path: 'attachments.0.filename' }] } },
      });
  });

  it('doesn’t fetch pages from private addresses', async () => {
    const result = await client.callTool({ name: 'scan', arguments: { url: 'http://169.254.169.254/latest/' } });
    expect(result.isError).toBe(true);
    expect(result._meta).toMatchObject({ error: { error: 'scan_failed', reason: 'refused_address' } });
  });

  it('serves the rules, the lists, and the error codes as resources', async () => {
    const { resources } = await client.listResources();
    const { resourceTemplates } = await client.listResourceTemplates();
    const uris = resources.map(({ uri }) => uri).sort();
    expect(uris).toEqual([
      'compliance://errors',
      'compliance://lists',
      'compliance://rules/certificate',
      'compliance://rules/pixel',
    ]);
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate).sort()).toEqual(uris.map(uri => `${uri}/{id}`));
    for (const uri of uris) {
      const ref = { type: 'ref/resource', uri: `${uri}/{id}` } as const;
      const { completion } = await client.complete({ ref, argument: { name: 'id', value: '' } });
      const [id] = completion.values;
      expect(await read(uri)).toContain(`\`${id}\``);
      expect(await read(`${uri}/${id}`)).toMatch(/^# /);
    }
    expect(await read('compliance://lists')).toMatch(/Known through: \d{4}-\d\d-\d\d/);
    expect(await read('compliance://lists/steel-16c-iv')).toContain('7318.15.20');
  });

  it('has a prompt for each user journey', async () => {
    const journeys = {
      check_product_tariffs: ['product', 'steel bolts', '`assess`'],
      audit_storefront: ['url', 'https://shop.example/', '`scan`'],
      draft_certificate: ['product', 'a bicycle helmet', '`certify`'],
    } as const;
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(Object.keys(journeys));
    for (const [name, [argument, value, tool]] of Object.entries(journeys)) {
      const { messages } = await client.getPrompt({ name, arguments: { [argument]: value } });
      const [message] = messages;
      expect(message?.content).toMatchObject({ type: 'text', text: expect.stringContaining(value) });
      expect(message?.content).toMatchObject({ text: expect.stringContaining(tool) });
    }
    await expect(client.getPrompt({ name: 'check_product_tariffs' })).rejects.toThrow('product');
  });

  it.each([
    ['lookup', { codes: 7318152061 }, 'codes'],
    ['lookup', { codes: [], programs: 'none' }, 'codes'],
    ['lookup', { codes: Array(1001).fill('7318.15') }, 'codes'],
    ['lookup', { codes: ['7318.15'], __proto__: null, constructor: {} }, 'constructor'],
    ['assess', { code: '7318.15', origin: 'XX' }, 'origin'],
    [
      'assess',
      { code: '7318.15', origin: 'CN', facts: JSON.parse(`${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}`) },
      'facts',
    ],
    ['changes', { from: '2026-02-30' }, 'from'],
    ['changes', { limit: 1e9 }, 'limit'],
    ['scan', { url: 'https://shop.example/', html: 'x'.repeat(2_000_001) }, 'html'],
    ['scan', { url: 'not a url', html: '<p>' }, 'url'],
    ['certify', { product_info: { name: '\u0000' } }, 'product_info.name'],
    ['explain', { id: '../../../etc/passwd' }, 'id'],
    ['explain', {}, 'id'],
  ])('rejects invalid arguments for %s (case %#) and explains how to correct them', async (name, args, path) => {
    const result = await client.callTool({ name, arguments: args as Record<string, unknown> });
    expect(result.isError).toBe(true);
    expect(result._meta).toMatchObject({ error: { error: 'invalid_request' } });
    expect(textOf(result)).toContain(path);
    expect(textOf(result)).toContain('What to do: Correct these arguments');
    expect(textOf(result).length).toBeLessThan(2_000);
  });

  it.each(['nope', 'constructor', '__proto__', ''])('rejects the unknown tool %j', async name => {
    await expect(client.callTool({ name, arguments: {} })).rejects.toThrow(/not found|disabled/);
  });

  it.each([
    'compliance://rules/pixel/../../../etc/passwd',
    'compliance://rules/pixel/..%2f..%2fetc%2fpasswd',
    'compliance://lists/__proto__',
    'compliance://lists/{id}',
    'file:///etc/passwd',
    'https://shop.example/',
  ])('rejects the unknown resource %s', async uri => {
    await expect(client.readResource({ uri })).rejects.toThrow('not found');
  });

  it('ignores lines that aren’t messages, and exits at the end of the input', async () => {
    const server = spawn(process.execPath, ARGS, { stdio: ['pipe', 'pipe', 'ignore'] });
    const output = text(server.stdout);
    const initialize = {
      ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
    };
    server.stdin.write(`not JSON\n[]\n{"jsonrpc":"2.0"}\n${JSON.stringify(initialize)}\n`);
    await once(server.stdout, 'data', { signal: AbortSignal.timeout(30_000) });
    server.stdin.end();
    await once(server, 'exit', { signal: AbortSignal.timeout(30_000) });
    expect(server.exitCode).toBe(0);
    for (const line of (await output).trim().split('\n')) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
  });
});

async function read(uri: string): Promise<string> {
  const { contents } = await client.readResource({ uri });
  return (contents[0] as { text: string }).text;
}
