import { join } from 'node:path';
import { fetchCapture } from '@compliance/crawler';
import { pino } from 'pino';
import { ConfigInvalid, readConfig } from './config.ts';
import { loadBuild } from './http/server.ts';
import { serveApp } from './serve.ts';

try {
  const log = pino({ base: null });
  const build = await loadBuild(join(import.meta.dirname, '../build'));
  const app = await serveApp(readConfig(process.env), { build, fetchCapture, log });
  log.info({ url: app.url }, 'serving');
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void app.stop());
} catch (error) {
  if (!(error instanceof ConfigInvalid)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
