#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { openFonts, parseFlagList, parseLabList } from '@compliance/core/entry';
import { DATASET } from '@compliance/core/tariff';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { attachmentFolder } from './local/attachment-folder.ts';
import { performLocally } from './local/perform-locally.ts';
import { scanSandboxed, scanUrl } from './local/scan-in-sandbox.ts';
import { createMcpServer } from './server.ts';
import { LOCAL_TOOLS } from './tools/index.ts';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};
const contact = process.env.COMPLIANCE_CONTACT || 'https://contact-not-set.invalid/';
const clock = Date.now;
const dataset = () => DATASET;
const perform = performLocally({
  clock,
  dataset,
  flags: readList(process.env.COMPLIANCE_FLAGS, parseFlagList),
  acceptedLabs: readList(process.env.COMPLIANCE_LABS, parseLabList),
  readAttachment: attachmentFolder(process.env.COMPLIANCE_ATTACHMENTS || null),
  fonts: async () => openFonts((await import('@compliance/fonts')).loadFace),
  scanUrl: (url, options) => scanUrl(url, options, contact),
  scanCapture: (capture, options) => scanSandboxed(capture, options, contact),
});

// Standard output carries only protocol messages.
const onFailure = (failure: unknown) => process.stderr.write(`compliance-mcp: ${(failure as Error).stack}\n`);

serveStdio(() => createMcpServer({ version, clock, dataset, tools: LOCAL_TOOLS, perform, onFailure }), {
  onerror: error => process.stderr.write(`compliance-mcp: ${error.message}\n`),
});

/** Reads a list from a JSON file, or exits with an error message if the file isn't valid. */
function readList<List>(file: string | undefined, parse: (value: unknown) => List): List | null {
  if (!file) return null;
  try {
    return parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    process.stderr.write(`compliance-mcp: ${file}: ${(error as Error).message}\n`);
    process.exit(2);
  }
}
