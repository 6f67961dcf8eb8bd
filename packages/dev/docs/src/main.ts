// Serves the documentation locally: `pnpm run docs [--port N]`.
import { parseArgs } from 'node:util';
import { serve } from '@hono/node-server';
import { createSite } from './site/site.ts';

const { values } = parseArgs({ options: { port: { type: 'string', default: '8789' } } });
serve({ fetch: createSite().fetch, port: Number(values.port), hostname: '127.0.0.1' }, ({ port }) => {
  process.stdout.write(`Documentation: http://127.0.0.1:${port}\nPress Ctrl-C to stop.\n`);
});
