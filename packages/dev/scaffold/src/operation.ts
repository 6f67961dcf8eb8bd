import type { Scaffold } from './scaffold.ts';

const SCOPES = ['tariff', 'pixel', 'entry'];

/**
 * Scaffold for an API operation. The name `tariff-example` produces the ID `tariff.example` and the path
 * `/api/v1/tariff/example`.
 */
export default {
  name: /^[a-z][a-z0-9]*(-[a-z][a-z0-9]*)+$/,
  example: 'tariff-example',
  next: 'Edit these files, then run: pnpm gen && pnpm test',
  files(name) {
    const parts = name.split('-');
    const id = parts.join('.');
    const type = parts.map(part => part[0]!.toUpperCase() + part.slice(1)).join('');
    const scope = SCOPES.includes(parts[0]!) ? parts[0] : 'tariff';
    return {
      [`packages/api/src/operations/${name}.ts`]: `import { z } from 'zod';
import { defineOperation } from './operation.ts';

const request = z
  .strictObject({ text: z.string().min(1).max(200).meta({ description: 'Text to return.' }) })
  .meta({ id: '${type}Request' });

const response = z
  .object({ text: z.string().meta({ description: 'Text of the request.' }) })
  .meta({ id: '${type}Response' });

export default defineOperation({
  id: '${id}',
  method: 'post',
  path: '/api/v1/${parts.join('/')}',
  scope: '${scope}',
  summary: 'Return the text',
  description: 'Returns the text of the request.',
  request,
  response,
  clientArguments: ['text'],
  examples: [{ name: 'a text', request: { text: 'hello' } }],
  handler({ text }) {
    return { text };
  },
});
`,
      [`packages/api/src/operations/${name}.test.ts`]: `import { afterAll, describe, expect, it } from 'vitest';
import { jsonBody, startService } from '../testing/service.ts';
import operation from './${name}.ts';

const service = await startService();
afterAll(() => service.stop());

describe('${id}', () => {
  it('returns the text of the request', async () => {
    const headers = { Authorization: \`Bearer \${await service.issue('${scope}')}\` };
    const response = await service.post(operation.path, { text: 'hello' }, headers);
    expect(response.status).toBe(200);
    expect(await jsonBody(response)).toEqual({ text: 'hello' });
  });
});
`,
      [`.changeset/${name}.md`]: `---
"@compliance/api": minor
"@compliance/client": minor
---

Adds the \`${id}\` operation to the API and the clients.
`,
    };
  },
} satisfies Scaffold;
