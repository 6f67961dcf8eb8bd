import './set-node-env.ts';
import { join } from 'node:path';
import { fetchCapture } from '@compliance/crawler';
import { firstSignal } from '@compliance/server';
import { StoreError } from '@compliance/store';
import { pino } from 'pino';
import { ConfigError, readConfig } from './context/config.ts';
import { loadBuild } from './http/server.ts';
import { serveApp } from './serve.ts';

try {
  const config = readConfig(process.env);
  const log = pino({ base: null });
  const build = await loadBuild(join(import.meta.dirname, '../build'));
  const app = await serveApp(config, { build, fetchCapture, log });
  log.info({ url: app.url }, 'serving');
  const signal = await firstSignal();
  log.info({ signal }, 'stopping');
  await app.stop(signal === 'SIGINT' ? {} : config.drain);
  process.exit();
} catch (error) {
  if (!(error instanceof ConfigError || error instanceof StoreError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
