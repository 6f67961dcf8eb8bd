import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { serialize } from 'node:v8';
import { type ChromiumFiles, findChromium } from '@compliance/chromium';
import {
  openRobotsReader,
  type ScanRenderer,
  type ScanRendering,
  type TargetRate,
  type Transport,
  userAgent,
} from '@compliance/crawler';
import { createFrameReader, frame, inspectKernelIsolation, type Pool, siblingModule } from '@compliance/crawler/pool';
import { type FenceLayers, LAYER_NAMES } from '../fence/layers.ts';
import { ISOLATING_LAYERS, missingIsolation, probeFence } from '../fence/probe.ts';
import {
  type FromRenderProcess,
  MAX_MESSAGE_BYTES,
  type Question,
  type RenderJob,
  type ToRenderProcess,
} from './messages.ts';

/** Options for {@link openScanRenderer}. */
export interface ScanRendererOptions {
  /** Browser to use. By default, the renderer finds a browser, and `close` removes that browser's files. */
  readonly chromium?: ChromiumFiles;
  /** Network access for reading robots.txt files. */
  readonly transport: Transport;
  /** Egress proxy for the browser's connections. By default, connections don't go through an egress proxy. */
  readonly egress?: URL | undefined;
  /** Contact URL in the user agent. */
  readonly contact: string;
  readonly pool: Pool;
  readonly targetRate: TargetRate;
  /** Whether to render pages even if this system can't isolate the browser in namespaces. The default is false. */
  readonly withoutNamespaces?: boolean;
}

/** Error for a system that can't isolate the browser. The message names the fence's missing layers. */
export class IsolationMissing extends Error {}

/** A renderer for the pages that a service scans. */
export interface ScanRendererService {
  readonly render: ScanRenderer;
  /** Cancels the current rendering, and removes the browser's files. */
  close(): Promise<void>;
}

/** Time limits, in milliseconds, for reading robots.txt files during rendering and for the entire rendering. */
const ROBOTS_MS = 150_000;
const WHOLE_MS = 180_000;
/** Time allowed for a process to close its browser, in milliseconds. */
const CLOSE_MS = 5_000;
/** Maximum number of requests that a render process can send to the parent process. */
const MAX_QUESTIONS = 5_000;
/** Maximum size of a render process's JavaScript heap, in megabytes. */
const MEMORY_MB = 512;

/**
 * Prepares a browser for rendering scanned pages in a service. Each page is rendered in a separate process that has
 * none of the service's secrets and starts the browser behind the fence. Only one page is rendered at a time.
 *
 * @throws IsolationMissing if this system can't isolate the browser in namespaces, unless `withoutNamespaces` is true
 * @throws Error if this machine has no browser, or the browser doesn't start
 * @example
 * const renderer = await openScanRenderer({ transport: publicTransport, contact, pool, targetRate });
 * (await renderer.render(await scanner('https://shop.example', { asOf }))).verdict_counts; // { confirmed: 2, refuted: 1, unseen: 4 }
 * await renderer.close();
 */
export async function openScanRenderer(options: ScanRendererOptions): Promise<ScanRendererService> {
  const kernel = inspectKernelIsolation();
  const { withoutNamespaces = false } = options;
  if ('missing' in kernel && !withoutNamespaces) throw isolationMissing(ISOLATING_LAYERS, kernel.missing);
  const { remove, ...chromium } = options.chromium ?? (await findChromium());
  try {
    // If the browser doesn't start, neither does the service.
    const missing = missingIsolation(await probeFence({ chromium, kernel }));
    if (missing.length > 0 && !withoutNamespaces) throw isolationMissing(missing);
  } catch (error) {
    if (!options.chromium) await remove();
    throw error;
  }
  const closing = new AbortController();
  const settings = {
    ...{ chromium, kernel, userAgent: userAgent(options.contact) },
    egress: options.egress?.href ?? null,
  };
  let last: Promise<unknown> = Promise.resolve();
  return {
    render(scan, { journey = [], signal } = {}) {
      const aborted = signal ? AbortSignal.any([closing.signal, signal]) : closing.signal;
      const turn = last.then(() => renderInProcess({ ...settings, scan, journey }, options, aborted));
      last = turn.catch(() => {});
      return turn;
    },
    async close() {
      closing.abort();
      await last;
      if (!options.chromium) await remove();
    },
  };
}

function isolationMissing(layers: readonly (keyof FenceLayers)[], reason?: string): IsolationMissing {
  const cause = reason === undefined ? '' : ` (${reason})`;
  return new IsolationMissing(
    `this system can't isolate the browser that opens untrusted pages${cause}. Missing layers: ${layers.map(layer => LAYER_NAMES[layer]).join(', ')}.`,
  );
}

/**
 * Renders a page in a new process. The process is untrusted, because it reads the messages of a browser that runs
 * untrusted code.
 */
async function renderInProcess(
  job: RenderJob,
  { transport, contact, pool, targetRate }: ScanRendererOptions,
  signal: AbortSignal,
): Promise<ScanRendering> {
  signal.throwIfAborted();
  const limits = { totalMs: ROBOTS_MS };
  const robots = openRobotsReader(transport, new URL(job.scan.scanned.url), { contact, pool, targetRate, limits });
  const main = fileURLToPath(siblingModule(import.meta.url, 'render-process'));
  const { PATH, TMPDIR } = process.env;
  const child = spawn(
    process.execPath,
    [`--max-old-space-size=${MEMORY_MB}`, ...(main.endsWith('.ts') ? ['--conditions=@compliance/source'] : []), main],
    {
      env: { ...(PATH && { PATH }), ...(TMPDIR && { TMPDIR }) } as NodeJS.ProcessEnv,
      cwd: '/',
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    },
  );
  const ended = once(child, 'close').catch(() => {});
  const channel = child.stdio[3] as Socket;
  const send = (message: ToRenderProcess) => channel.write(frame(serialize(message)));
  const answer = async (question: Question): Promise<unknown> =>
    question.ask === 'allows'
      ? URL.canParse(question.url) && (await robots.allows(new URL(question.url)))
      : await targetRate.take(`${question.target}`, Number(question.perMinute));
  const timeout = AbortSignal.timeout(WHOLE_MS);
  const stopped = AbortSignal.any([signal, timeout]);
  try {
    return await new Promise<ScanRendering>((resolve, reject) => {
      const fail = (message: string) => reject(new Error(`The page can't be rendered: ${message}`));
      let questions = 0;
      const receive = (message: FromRenderProcess): void => {
        if ('rendering' in message) resolve(message.rendering);
        else if ('failure' in message) fail(message.failure);
        else if (++questions > MAX_QUESTIONS) fail('it makes too many connections');
        else
          answer(message).then(
            found => send({ id: message.id, answer: found }),
            (error: unknown) => fail((error as Error).message),
          );
      };
      const read = createFrameReader(MAX_MESSAGE_BYTES, message => {
        try {
          receive(JSON.parse(Buffer.from(message!).toString()));
        } catch {
          fail('the render process sent an invalid message');
        }
      });
      channel.on('data', read).on('error', () => fail('the render process ended'));
      child.on('error', error => fail(error.message)).on('close', () => fail('the render process ended'));
      stopped.addEventListener('abort', () => reject(stopped.reason as Error));
      send({ job });
    });
  } finally {
    // The process closes its browser when the channel is closed.
    channel.destroy();
    const killing = setTimeout(() => child.kill('SIGKILL'), CLOSE_MS);
    await ended;
    clearTimeout(killing);
    await robots.close();
  }
}
