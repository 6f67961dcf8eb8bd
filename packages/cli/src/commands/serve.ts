import { hostname } from 'node:os';
import { styleText } from 'node:util';
import {
  type Api,
  createApi,
  createInputSources,
  createJobLinks,
  createLinks,
  createParquetReader,
  createWebhookSecrets,
  evaluateWatches,
  type RepeatedWork,
  runRepeatedly,
  startBulkWorker,
  startWebhookWorker,
} from '@compliance/api';
import { createMetrics, type Metrics } from '@compliance/api/metrics';
import { type Dataset, isCalendarDate, lookup, type Nomenclature } from '@compliance/core/tariff';
import {
  createCrawler,
  createEgressTransport,
  createFileFetcher,
  createScanner,
  createSiteScanner,
  createWebhookSender,
  type LookupFailure,
  publicTransport,
  type ScannerOptions,
} from '@compliance/crawler';
import { createPool, inspectSandbox, sandboxWarning } from '@compliance/crawler/pool';
import { drawInPool } from '@compliance/drawing';
import { createListsSource, type ListsSource } from '@compliance/lists/installed';
import type * as Renderer from '@compliance/renderer';
import { drainServers, firstSignal, type RunningServer, startServer } from '@compliance/server';
import { createReadiness } from '@compliance/server/readiness';
import { signalsOf, startTelemetry, type Telemetry } from '@compliance/server/telemetry';
import { createS3Input, readS3InputSettings, type Store } from '@compliance/store';
import { Command } from 'commander';
import { type Level, pino } from 'pino';
import { openSigner } from '../certificates/signing.ts';
import { CliError } from '../cli-error.ts';
import { contactOf } from '../contact.ts';
import { listsFolder } from '../data-folder/lists-folder.ts';
import { recordStart } from '../data-folder/record-start.ts';
import { readLabList } from '../input/certificate-files.ts';
import { readFlagList } from '../input/flags.ts';
import { parseNomenclature } from '../input/nomenclature.ts';
import { openStoreFor, reportStoreErrors, storeLocation } from '../open-store.ts';
import { print } from '../output/print.ts';
import { ISOLATE_BROWSER, loadRenderer } from '../rendering.ts';
import { linkKeys } from '../secrets/link-keys.ts';
import { operatorAccess, operatorSecret } from '../secrets/operator-secret.ts';
import { settingOption } from '../settings/settings.ts';
import { version } from '../version.ts';

/**
 * Limits for jobs in worker processes, which scan untrusted pages and render certificates. One worker is reserved for
 * callers with an API key.
 */
const WORKERS = { workers: 3, timeoutMs: 10_000, memoryMb: 256, queue: 1_000 };

/** Maximum time, in milliseconds, for sending the remaining telemetry after all requests have ended. */
const FLUSH_MS = 3_000;
/** Pause, in milliseconds, between checks for watches to evaluate. */
const WATCH_PAUSE_MS = 2_000;

/** Number of job parts that the process runs concurrently. */
const BULK_PARTS = 2;

/** Sample request. The response doesn't depend on the current date. */
const SAMPLE = { codes: ['7318.15.2061'], as_of: '2026-10-01' };

interface Options {
  port: number;
  host: string;
  data: string;
  /** Log level: `info` logs every request, and `error` logs only server errors. */
  log: Level | 'silent';
  metricsPort?: number;
  baseUrl?: string;
  trustedProxies: number;
  egress?: URL;
  render: 'on' | 'off' | 'without-namespaces';
  flags?: string;
  labs?: string;
  sign?: string;
  signer?: string;
  timestamp?: string;
  /** Number of seconds to keep accepting connections after the first signal. */
  drainDelay: number;
  /** Maximum number of seconds to wait for requests in progress after the drain delay. */
  drainTimeout: number;
  /** v0 deprecation date, YYYY-MM-DD. Required if `v0Sunset` is set. */
  v0Deprecated?: string;
  v0Sunset?: string;
}

/** The `compliance serve` command. */
export default new Command('serve')
  .description('Run the API service until interrupted.')
  .addOption(settingOption('COMPLIANCE_PORT'))
  .addOption(settingOption('COMPLIANCE_LISTEN_ADDRESS'))
  .addOption(settingOption('COMPLIANCE_DATA'))
  .addOption(settingOption('COMPLIANCE_LOG'))
  .addOption(settingOption('COMPLIANCE_METRICS_PORT'))
  .addOption(settingOption('COMPLIANCE_BASE_URL'))
  .addOption(settingOption('COMPLIANCE_TRUSTED_PROXIES'))
  .addOption(settingOption('COMPLIANCE_EGRESS'))
  .addOption(settingOption('COMPLIANCE_RENDER'))
  .addOption(settingOption('COMPLIANCE_DRAIN_DELAY'))
  .addOption(settingOption('COMPLIANCE_DRAIN_TIMEOUT'))
  .addOption(settingOption('COMPLIANCE_FLAGS'))
  .addOption(settingOption('COMPLIANCE_LABS'))
  .addOption(settingOption('COMPLIANCE_SIGNING_KEY'))
  .addOption(settingOption('COMPLIANCE_SIGNER'))
  .addOption(settingOption('COMPLIANCE_TIMESTAMP'))
  .addOption(settingOption('COMPLIANCE_V0_DEPRECATED'))
  .addOption(settingOption('COMPLIANCE_V0_SUNSET'))
  .action(async (options: Options) => {
    const { port, host, data, log: level, metricsPort, baseUrl, trustedProxies } = options;
    const v0Retirement = retirementOf(options);
    // Validate the settings before opening the store so that a failed start doesn't create any files.
    const contact = contactOf(process.env);
    const sign = await openSigner(options);
    const { secret, origin } = operatorSecret(data, process.env);
    const keys = linkKeys(data, process.env);
    const links = createLinks(keys);
    const warning = sandboxWarning(inspectSandbox());
    const webhookSecrets = createWebhookSecrets(keys);
    const flags = options.flags === undefined ? null : await readFlagList(options.flags);
    const acceptedLabs = options.labs === undefined ? null : await readLabList(options.labs);
    const s3Input = await reportStoreErrors(async () => readS3InputSettings(process.env));
    const renderers = options.render === 'off' ? null : await loadRenderer();
    const store = await openStoreFor(data);
    const pool = createPool(WORKERS);
    const servers: RunningServer[] = [];
    let isStopping = false;
    let telemetry: Telemetry | undefined;
    let lists: ListsSource | null = null;
    let watching: RepeatedWork | null = null;
    let webhookWorker: ReturnType<typeof startWebhookWorker> | null = null;
    let bulkWorker: ReturnType<typeof startBulkWorker> | null = null;
    let scanRenderer: Renderer.ScanRendererService | null = null;
    try {
      const latest = await store.nomenclatures.latest();
      const nomenclature = latest ? parseNomenclature('the store', latest.body, latest.edition) : null;
      const operator = await operatorAccess(store, secret);
      // Write logs to standard error, because standard output is for the welcome message.
      const log = level === 'silent' ? undefined : pino({ level, base: null }, pino.destination({ fd: 2, sync: true }));
      lists = createListsSource({
        folder: listsFolder(data),
        onChange: status =>
          status.problem ? log?.error(status, 'lists not updated') : log?.info(status, 'lists updated'),
      });
      const { current: dataset, status: listsStatus } = lists;
      const onLookupFailure = (failure: LookupFailure) => log?.info(failure, 'lookup failed');
      const crawl: ScannerOptions = { contact, pool, targetRate: store.targetRate, onLookupFailure };
      const transport = options.egress ? createEgressTransport(options.egress) : publicTransport;
      const scanner = createScanner(createCrawler(transport), crawl);
      const siteScanner = createSiteScanner(transport, crawl);
      scanRenderer =
        renderers &&
        (await openRenderer(renderers, {
          contact,
          pool,
          targetRate: store.targetRate,
          transport,
          egress: options.egress,
          withoutNamespaces: options.render === 'without-namespaces',
        }));
      const files = createFileFetcher(transport, { contact, targetRate: store.targetRate });
      const inputSources = createInputSources({ files, s3: s3Input ? createS3Input(s3Input) : null });
      const readParquet = createParquetReader(pool);
      const readiness = createReadiness({
        store,
        clock: Date.now,
        dataset,
        hasListsProblem: () => listsStatus().problem !== null,
        pool,
        isStopping: () => isStopping,
      });
      const metrics = metricsPort !== undefined || signalsOf(process.env).metrics ? createMetrics() : undefined;
      metrics?.watchPool(pool);
      const { databaseUrl, s3 } = storeLocation(data);
      metrics?.watchService({
        ...{ store, readiness, clock: Date.now, dataDir: databaseUrl && s3 ? null : data },
        queues: { jobs: store.bulkJobs.queue, webhooks: store.watches.queue },
      });
      telemetry = await startTelemetry({
        env: process.env,
        serviceName: 'compliance',
        serviceVersion: version,
        log,
        metrics: metrics?.samples,
      });
      if (metrics && metricsPort !== undefined)
        servers.push(await listen(request => serveMetrics(metrics, request), metricsPort, host));
      // The base URL on certificates contains the port. If the system assigns the port, the port is known only after
      // the server starts listening.
      let api: Api | null = null;
      const server = await listen((...request) => api!.fetch(...request), port, host);
      servers.push(server);
      const localUrl = `http://${host.includes(':') ? `[${host}]` : host}:${server.port}`;
      const certificates = { drawing: drawInPool(pool), links, baseUrl: baseUrl ?? localUrl, sign, acceptedLabs };
      api = createApi({
        store,
        clock: Date.now,
        dataset,
        nomenclature,
        flags,
        scanner,
        siteScanner,
        certificates,
        webhookSecrets,
        jobLinks: createJobLinks(keys, baseUrl ?? localUrl),
        readParquet,
        inputSources,
        rendersPages: scanRenderer !== null,
        operator,
        baseUrl,
        trustedProxies,
        v0Retirement,
        readiness,
        ...(log && { log }),
        ...(metrics && { metrics }),
      });
      watching = runRepeatedly(() => evaluateWatches({ store, clock: Date.now, dataset }), {
        pauseMs: WATCH_PAUSE_MS,
        // Omit the error message, because it can contain data from a watch.
        onFailure: error => log?.error({ failure: (error as Error).name }, 'watches not evaluated'),
      });
      const send = createWebhookSender(transport);
      const name = `${hostname()} ${process.pid}`;
      webhookWorker = startWebhookWorker({
        ...{ store, clock: Date.now, send, secrets: webhookSecrets, random: Math.random, name },
        onFailure: error => log?.error({ failure: (error as Error).name }, 'webhook not delivered'),
      });
      bulkWorker = startBulkWorker({
        ...{ store, clock: Date.now, dataset, nomenclature, scanner, certificates, inputSources, readParquet },
        renderScan: scanRenderer?.render ?? null,
        concurrency: BULK_PARTS,
        name,
        // Omit the error message, because it can contain data from a row.
        onFailure: error => log?.error({ failure: (error as Error).name }, 'job not processed'),
      });
      // Handle signals before printing the welcome message, because a program that reads the message might stop the
      // service right away.
      const stopped = firstSignal();
      recordStart(
        { location: storeLocation(data), baseUrl, links: keys, env: process.env, host, port: server.port },
        Date.now(),
      );
      print(await welcome(store, localUrl, { dataset: dataset(), nomenclature }, origin));
      if (warning) print(`Warning: ${warning.found} ${warning.todo}`);
      const signal = await stopped;
      isStopping = true;
      // Skip the drain delay on Ctrl-C, because there's no load balancer to notify.
      const delayMs = signal === 'SIGINT' ? 0 : options.drainDelay * 1000;
      const dropped = await drainServers(servers, { delayMs, timeoutMs: options.drainTimeout * 1000 });
      print(dropped === 0 ? 'Stopped.' : `Stopped. Requests dropped after the drain timeout: ${dropped}`);
    } catch (error) {
      await drainServers(servers, { delayMs: 0, timeoutMs: 0 });
      throw error;
    } finally {
      lists?.close();
      await Promise.all([watching?.stop(), webhookWorker?.stop(), bulkWorker?.stop()]);
      await scanRenderer?.close();
      // The final metrics are read from the store, so send them before closing it.
      const isFlushed = await telemetry?.shutdown(FLUSH_MS);
      await Promise.all([store.close(), pool.close()]);
      // If the collector doesn't respond, the exporter would keep the process running until its last retry.
      if (isFlushed === false) setTimeout(() => process.exit(), 0);
    }
  });

/** Prepares a browser for jobs. @throws CliError if there's no browser, or if the system can't isolate it */
async function openRenderer(
  { IsolationMissing, openScanRenderer }: typeof Renderer,
  options: Renderer.ScanRendererOptions,
): Promise<Renderer.ScanRendererService> {
  try {
    return await openScanRenderer(options);
  } catch (error) {
    const { message } = error as Error;
    throw new CliError(
      error instanceof IsolationMissing
        ? `--render on: ${message} ${ISOLATE_BROWSER}`
        : `--render ${options.withoutNamespaces ? 'without-namespaces' : 'on'}: Chromium can't be started: ${message}`,
    );
  }
}

/** Serves only `/metrics`, on a separate port that isn't public. */
async function serveMetrics(metrics: Metrics, request: Request): Promise<Response> {
  if (new URL(request.url).pathname !== '/metrics') return new Response(null, { status: 404 });
  return new Response(await metrics.text(), { headers: { 'Content-Type': metrics.contentType } });
}

function retirementOf({ v0Deprecated, v0Sunset }: Options) {
  if (v0Deprecated === undefined && v0Sunset === undefined) return null;
  const [deprecatedAt, sunsetAt] = [v0Deprecated, v0Sunset].map(date =>
    date !== undefined && isCalendarDate(date) ? Date.parse(date) : Number.NaN,
  ) as [number, number];
  if (sunsetAt >= deprecatedAt) return { deprecatedAt, sunsetAt };
  throw new CliError(
    "Specify --v0-deprecated and --v0-sunset together, as YYYY-MM-DD. The sunset date can't be earlier than the deprecation date.",
    2,
  );
}

async function listen(fetch: Api['fetch'], port: number, host: string): Promise<RunningServer> {
  try {
    return await startServer(fetch, { port, host });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE')
      throw new CliError(`Port ${port} is in use. Stop the other process, or choose another port: --port ${port + 1}`);
    throw new CliError(`Can't listen on ${host} port ${port}: ${message}`);
  }
}

/**
 * Returns the welcome message with a sample request to try. Issues a demo key if the store has never had a key. Call
 * this function only after binding the port so that a failed start doesn't issue a key. Never issues a demo key in
 * production, where standard output is stored in logs.
 */
async function welcome(
  store: Store,
  localUrl: string,
  { dataset, nomenclature }: { dataset: Dataset; nomenclature: Nomenclature | null },
  secretOrigin: string,
): Promise<string> {
  const title = `Portfolio Compliance is running at ${styleText('bold', localUrl)}`;
  const facts = `Lists: version ${dataset.version}, current through ${dataset.known_through}\nOpenAPI document: ${localUrl}/openapi.yaml\nOperator pages: ${localUrl}/operator (the secret is ${secretOrigin})`;
  if (process.env.NODE_ENV === 'production' || (await store.keys.list({ includeEnded: true })).length > 0) {
    return `${title}\n${facts}\nExisting API keys can't be shown again. To issue a key, run: compliance keys issue --scope all --note delegate:on\nStop with Ctrl-C.`;
  }
  const { key } = await store.keys.issue({ scope: 'all', note: 'demo delegate:on', actor: 'first start' });
  const response = lookup(SAMPLE.codes, { asOf: SAMPLE.as_of, dataset, ...(nomenclature && { nomenclature }) });
  return `${title}
${facts}

Demo key, shown only once:
  ${styleText('bold', key)}

Try it:
  curl -s ${localUrl}/api/v1/tariff/hts/lookup -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '${JSON.stringify(SAMPLE)}'

Response:
  ${styleText('dim', JSON.stringify(response))}

Not legal, customs, or tax advice. Stop with Ctrl-C.`;
}
