import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchBrowser } from '@compliance/browser';
import { build as esbuild } from 'esbuild';
import { build as viteBuild } from 'vite';
import { type Consumer, runTool } from './consumer.ts';

/** A runtime, optionally combined with a bundler, that runs the program in a consumer's project. */
export interface TargetEnvironment {
  readonly name: string;
  /** Whether programs can compile WebAssembly, which the text shaper needs. */
  readonly canShapeText: boolean;
  /** Returns the program's results. */
  readonly run: (consumer: Consumer) => unknown;
}

const PRINT = 'computeResults({ canShapeText: true }).then(outcome => console.log(JSON.stringify(outcome)));';

/** ES module program that prints the results. */
export const ESM_PROGRAM = `import { computeResults } from './compute-results.mjs';\n${PRINT}\n`;

const CJS_PROGRAM = `const { computeResults } = require('./compute-results.mjs');\n${PRINT}\n`;

/**
 * Returns the environments that run the program in a specific Node version.
 *
 * @param executable path to the `node` executable
 */
export const nodeEnvironments = (version: string, executable: string): TargetEnvironment[] =>
  [
    { format: 'ESM', file: 'main.mjs', program: ESM_PROGRAM },
    { format: 'CommonJS', file: 'main.cjs', program: CJS_PROGRAM },
  ].map(({ format, file, program }) => ({
    name: `Node ${version}, ${format}`,
    canShapeText: true,
    run: consumer => JSON.parse(runTool(executable, [consumer.write(file, program)], consumer.folder)),
  }));

/** Single CommonJS file for Node that runs in a folder without `node_modules`, like a Lambda function. */
const singleFile: TargetEnvironment = {
  name: 'one file for Node, bundled with esbuild',
  canShapeText: true,
  async run(consumer) {
    const entry = consumer.write('main.mjs', ESM_PROGRAM);
    const outfile = join(consumer.folder, 'lambda/index.cjs');
    await esbuild({ entryPoints: [entry], bundle: true, platform: 'node', format: 'cjs', outfile, logLevel: 'silent' });
    const alone = mkdtempSync(join(tmpdir(), 'compliance-lambda-'));
    try {
      copyFileSync(outfile, join(alone, 'index.cjs'));
      return JSON.parse(runTool(process.execPath, ['index.cjs'], alone));
    } finally {
      rmSync(alone, { recursive: true });
    }
  },
};

const WORKERD_CONFIG = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (services = [(name = "main", worker = .worker)]);
const worker :Workerd.Worker = (
  modules = [(name = "worker.mjs", esModule = embed "worker.mjs")],
  compatibilityDate = "2026-11-01",
);
`;

/** The Cloudflare Workers runtime. Each platform's executable is in a separate package. */
const workers: TargetEnvironment = {
  name: 'Cloudflare Workers (workerd)',
  canShapeText: false,
  async run(consumer) {
    const program = `import { computeResults } from './compute-results.mjs';
      export default {
        async test() {
          console.log(JSON.stringify(await computeResults({ canShapeText: false })));
        },
      };`;
    const outfile = join(consumer.folder, 'worker/worker.mjs');
    await esbuild({
      entryPoints: [consumer.write('worker.mjs', program)],
      bundle: true,
      format: 'esm',
      conditions: ['workerd', 'worker', 'browser'],
      outfile,
      logLevel: 'silent',
    });
    const config = consumer.write('worker/config.capnp', WORKERD_CONFIG);
    const { default: workerd } = createRequire(import.meta.url)('workerd') as { default: string };
    const output = runTool(workerd, ['test', config], consumer.folder);
    return JSON.parse(output.split('\n').find(line => line.startsWith('{'))!);
  },
};

/** A page that's built with Vite and loaded in a real browser. */
const page: TargetEnvironment = {
  name: 'a browser page bundled with Vite',
  canShapeText: true,
  async run(consumer) {
    const program = `import { computeResults } from './compute-results.mjs';
      globalThis.outcome = computeResults({ canShapeText: true });`;
    consumer.write('page/main.mjs', program.replace('./compute-results', '../compute-results'));
    consumer.write('page/index.html', '<script type="module" src="./main.mjs"></script>');
    const root = join(consumer.folder, 'page');
    await viteBuild({ root, logLevel: 'error', build: { minify: false, reportCompressedSize: false } });
    return inBrowser(join(root, 'dist'));
  },
};

/** Opens a folder's `index.html` and returns the result of the promise that the page's script assigns to `outcome`. */
async function inBrowser(files: string): Promise<unknown> {
  const browser = await launchBrowser();
  try {
    const opened = await browser.newPage();
    // Browsers provide the Web Crypto API only in secure contexts, such as pages served over HTTPS.
    await opened.route('https://app.example/**', route => {
      const path = new URL(route.request().url()).pathname.replace(/\/$/, '/index.html');
      return route.fulfill({ path: join(files, path) });
    });
    await opened.goto('https://app.example/');
    return await opened.evaluate('globalThis.outcome');
  } finally {
    await browser.close();
  }
}

const current = nodeEnvironments(process.versions.node.split('.')[0]!, process.execPath);

/** Environments that are fast enough for every test run. The other environments run only in `pnpm runtimes`. */
export const ENVIRONMENTS: readonly TargetEnvironment[] = [...current, singleFile, workers, page];
