import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launchBrowser } from '@compliance/browser';
import { type Consumer, runTool } from './consumer.ts';
import { ESM_PROGRAM, nodeEnvironments, type TargetEnvironment } from './environments.ts';
import { NEXT_APP } from './program/next-app.ts';

/**
 * Folder of the project that installs the runtimes, bundlers, and compilers. The project isn't part of the pnpm
 * workspace.
 */
export const MATRIX_FOLDER: string = fileURLToPath(new URL('../matrix', import.meta.url));

const require = createRequire(join(MATRIX_FOLDER, 'package.json'));

/** Returns the folder of an installed package. @throws Error if the package isn't available for this platform */
const packageFolder = (name: string, from = require) => dirname(from.resolve(`${name}/package.json`));

/** Returns the folder of a platform-specific executable package that another package depends on. */
const platformFolder = (name: string, of: string) => packageFolder(name, createRequire(join(packageFolder(of), 'x')));

const NODE_VERSIONS = ['20', '22', '24'];

const nodeExecutable = (version: string) => join(MATRIX_FOLDER, `node_modules/node-${version}/bin/node`);

const node = NODE_VERSIONS.flatMap(version => nodeEnvironments(version, nodeExecutable(version)));

/**
 * Node 18. Node 18 can't load ES modules from CommonJS, and needs a flag for the global Web Crypto API, which the
 * program uses.
 */
const node18: TargetEnvironment = {
  name: 'Node 18, ESM',
  canShapeText: true,
  run({ write, folder }) {
    const args = ['--experimental-global-webcrypto', write('main.mjs', ESM_PROGRAM)];
    return JSON.parse(runTool(nodeExecutable('18'), args, folder));
  },
};

const bun: TargetEnvironment = {
  name: 'Bun',
  canShapeText: true,
  run({ write, folder }) {
    const arch = process.arch === 'arm64' ? 'aarch64' : process.arch;
    const executable = join(platformFolder(`@oven/bun-${process.platform}-${arch}`, 'bun'), 'bin/bun');
    return JSON.parse(runTool(executable, [write('bun.mjs', ESM_PROGRAM)], folder));
  },
};

const deno: TargetEnvironment = {
  name: 'Deno',
  canShapeText: true,
  run({ write, folder }) {
    const libc = process.platform === 'linux' ? '-glibc' : '';
    const executable = join(platformFolder(`@deno/${process.platform}-${process.arch}${libc}`, 'deno'), 'deno');
    const program = write('deno.mjs', ESM_PROGRAM);
    return JSON.parse(runTool(executable, ['run', '--no-remote', '--node-modules-dir=manual', program], folder));
  },
};

const WEBPACK_CONFIG = `export default {
  mode: 'production',
  target: 'node',
  entry: './webpack-entry.mjs',
  output: { path: import.meta.dirname + '/webpack' },
  optimization: { minimize: false },
};`;

const webpack: TargetEnvironment = {
  name: 'webpack',
  canShapeText: true,
  run({ write, folder }) {
    write('webpack-entry.mjs', ESM_PROGRAM);
    write('webpack.config.mjs', WEBPACK_CONFIG);
    const build = `import webpack from ${JSON.stringify(require.resolve('webpack'))};
      import config from './webpack.config.mjs';
      webpack(config, (error, stats) => {
        if (error ?? stats.hasErrors()) throw error ?? new Error(stats.toString({ all: false, errors: true }));
      });`;
    runTool(process.execPath, [write('webpack-build.mjs', build)], folder);
    return JSON.parse(runTool(process.execPath, ['webpack/main.js'], folder));
  },
};

/**
 * Creates an environment that reads the results from a page or a route in a Next.js app. All of these environments
 * share one app, which is built and started when it's first needed.
 */
const nextEnvironment = (
  name: string,
  canShapeText: boolean,
  read: (url: string) => Promise<unknown>,
): TargetEnvironment => ({
  name: `Next.js, ${name}`,
  canShapeText,
  run: async consumer => {
    const url = await startedNext(consumer);
    return read(url);
  },
});

const next = [
  nextEnvironment('server', true, async url => (await fetch(`${url}/node`)).json()),
  nextEnvironment('edge', false, async url => (await fetch(`${url}/edge`)).json()),
  nextEnvironment('client', true, async url => {
    const browser = await launchBrowser();
    try {
      const page = await browser.newPage();
      await page.goto(url);
      await page.waitForFunction('globalThis.outcome');
      return await page.evaluate('globalThis.outcome');
    } finally {
      await browser.close();
    }
  }),
];

let nextUrl: Promise<string> | undefined;
const startedNext = (consumer: Consumer) => {
  nextUrl ??= startNext(consumer);
  return nextUrl;
};

async function startNext({ write, folder }: Consumer): Promise<string> {
  for (const [path, content] of Object.entries(NEXT_APP)) write(path, content);
  const executable = require.resolve('next/dist/bin/next');
  process.env.NEXT_TELEMETRY_DISABLED = '1';
  runTool(process.execPath, [executable, 'build'], folder);
  const port = await freePort();
  const args = [executable, 'start', '--port', String(port), '--hostname', '127.0.0.1'];
  const server = spawn(process.execPath, args, { cwd: folder, stdio: 'ignore' });
  process.on('exit', () => server.kill());
  const url = `http://127.0.0.1:${port}`;
  for (let attempt = 0; attempt < 300; attempt++) {
    const response = await fetch(url).catch(() => null);
    if (response?.ok) return url;
    await new Promise(resolve => setTimeout(resolve, 100));
  }
  throw new Error('The Next.js server didn’t start.');
}

function freePort(): Promise<number> {
  return new Promise(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

const TYPED_PROGRAM = `import { Compliance, type HtsLookupResponse, RateLimitError, verifyWebhook } from '@compliance/client';
import { type CertificateRecord, type CertificateRequest, certificate, openFonts, render } from '@compliance/core/entry';
import { type ScanResult, scan } from '@compliance/core/pixel';
import { lookup } from '@compliance/core/tariff';
import { type Dataset, loadDataset } from '@compliance/core/tariff/dataset';
import { latin } from '@compliance/fonts-latin';

const status: string = lookup(['7318.15.2061'], { asOf: '2026-10-01' }).results[0]!.status;
const draw = (record: CertificateRecord): Promise<Uint8Array> => render(record, openFonts(latin));
const name = (request: CertificateRequest): string => request.product_info.name;
// @ts-expect-error The types must not be \`any\`.
const wrongName = (request: CertificateRequest): number => request.product_info.name;
const score = (result: ScanResult): number | null => result.score;
const call = (client: Compliance): Promise<HtsLookupResponse> => client.tariff.hts.lookup(['7318.15.2061']);
export { call, certificate, type Dataset, draw, loadDataset, name, RateLimitError, scan, score, status, verifyWebhook, wrongName };
`;

/** TypeScript versions that must accept the packages' types without `skipLibCheck`. */
export const TYPESCRIPT_VERSIONS = ['5.4', '5.6', '5.9', '6.0', '7.0'];

/** Returns the folder of a TypeScript version. @throws Error if the matrix isn't installed */
export const typescriptFolder = (version: string): string => packageFolder(`typescript-${version}`);

/**
 * Compiles a program that uses the published packages.
 *
 * @param typescript folder of the TypeScript package
 * @throws Error that contains the compiler's messages if the compilation fails
 */
export function compile(typescript: string, { write, folder }: Consumer): void {
  const compiler = join(typescript, 'bin/tsc');
  for (const [module, moduleResolution] of [
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ]) {
    const compilerOptions = {
      ...{ module, moduleResolution, strict: true, skipLibCheck: false, noEmit: true, types: [] },
      ...{ target: 'es2022', lib: ['es2023', 'dom', 'dom.iterable'] },
    };
    write(`typed-${moduleResolution}/program.mts`, TYPED_PROGRAM);
    const config = write(`typed-${moduleResolution}/tsconfig.json`, JSON.stringify({ compilerOptions }));
    runTool(process.execPath, [compiler, '-p', config], folder);
  }
}

/** Environments that are too large or too slow to include in every test run. */
export const MATRIX: readonly TargetEnvironment[] = [node18, ...node, bun, deno, webpack, ...next];
