import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../operations/operations.gen.ts';
import { listen } from '../../testing/listen.ts';
import { startService } from '../../testing/service.ts';
import { V0_OPERATIONS } from '../../v0/operations/operations.gen.ts';
import type { ExampleCall } from './call.ts';
import { curl } from './curl.ts';
import { go } from './go.ts';
import { node } from './node.ts';
import { python } from './python.ts';

/**
 * Command timeout in milliseconds. The timeout is shorter than the hook timeout, so a build that hangs is killed before
 * the hook times out.
 */
const COMMAND_TIMEOUT_MS = 110_000;

const CLIENTS = fileURLToPath(new URL('../../../../clients', import.meta.url));
/** Runs a command, and kills it if it hangs, so that the test fails. */
const run = (command: string, args: string[], options: { env?: NodeJS.ProcessEnv; cwd?: string } = {}) =>
  promisify(execFile)(command, args, { ...options, timeout: COMMAND_TIMEOUT_MS });
const has = (command: string, args: string[]) =>
  run(command, args).then(
    () => true,
    () => false,
  );

/** One call for each example of each operation. */
const CALLS = [...OPERATIONS, ...V0_OPERATIONS].flatMap((operation: ExampleCall['operation']) =>
  operation.examples.map(({ name, params, request }) => ({
    title: `${operation.id}, ${name}`,
    call: {
      operation,
      request: request as Record<string, unknown>,
      ...(params && { params: params as Record<string, unknown> }),
    },
  })),
);

let service: Awaited<ReturnType<typeof listen>>;
let folder: string;
let env: NodeJS.ProcessEnv;
beforeAll(async () => {
  service = await listen(await startService());
  folder = await mkdtemp(join(tmpdir(), 'compliance-snippets-'));
  env = {
    ...process.env,
    NODE_OPTIONS: '',
    COMPLIANCE_BASE_URL: service.base,
    COMPLIANCE_API_KEY: await service.issue(),
    PYTHONPATH: join(CLIENTS, 'python/src'),
    PYTHONDONTWRITEBYTECODE: '1',
    GOFLAGS: '-mod=mod',
  };
});
// Start a new rate limit window for each test.
beforeEach(() => {
  service.time.now += 60_000;
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Runs a command in the test folder and parses its output. */
async function outputOf(command: string, args: string[]): Promise<unknown> {
  const { stdout } = await run(command, args, { env, cwd: folder });
  return JSON.parse(stdout);
}

/** Sends a call's request directly to the service and returns the response. */
async function responseTo({ operation, ...example }: ExampleCall): Promise<unknown> {
  const key = env.COMPLIANCE_API_KEY!;
  return await (await service.callExample(operation, example, { Authorization: `Bearer ${key}` })).json();
}

/** Returns a call that uses an existing certificate, watch, or job, because the IDs in the examples don't exist. */
async function withOwnId(call: ExampleCall): Promise<ExampleCall> {
  const { operation, params, request } = call;
  const own = <Values>(values: Values) => service.withOwnId(operation, values, env.COMPLIANCE_API_KEY!);
  return operation.method === 'get'
    ? { ...call, request: await own(request) }
    : { ...call, request: await own(request), ...(params && { params: await own(params) }) };
}

/**
 * Compares a snippet's output with the service's response. Certificate, watch, and job IDs aren't compared, because
 * each request creates or deletes a different object.
 */
async function expectResponse(call: ExampleCall, output: unknown) {
  const expected = await responseTo(call);
  if (/^(tariff\.watches|jobs)\./.test(call.operation.id)) {
    const withoutIds = (response: unknown) =>
      JSON.parse(
        JSON.stringify(response).replaceAll(
          /(?:wat|blk)_[0-9a-z]{29}|sig=[0-9a-f]{64}|whsec_[\w+/=]+|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g,
          'ID',
        ),
        // Job times and links differ, because the service's clock advances between tests, and all jobs for the Go
        // programs are created before the first test.
        (name, value) => (call.operation.id.startsWith('jobs.') && /_at$|_url$/.test(name) && value ? 'set' : value),
      );
    return expect(withoutIds(output)).toEqual(withoutIds(expected));
  }
  if (call.operation.id === 'entry.gcc.verify') {
    // Each client verifies its own certificate.
    const shared = (response: unknown) =>
      JSON.stringify(response).replaceAll(
        /[\da-f]{64}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|\d{4}-\d\d-\d\dT[\d:.]+Z/g,
        'OWN',
      );
    return expect(JSON.parse(shared(output))).toEqual(JSON.parse(shared(expected)));
  }
  const { completeness, warnings, status, content } = expected as Record<string, unknown>;
  if (content !== undefined) {
    // Each label is for a different certificate. Base64-encoded PDF files start with `JVBERi`.
    const differing = { gcc_id: expect.any(String), content: expect.stringMatching(/^(\^XA|JVBERi)/) };
    return expect(output).toEqual({ ...(expected as object), ...differing });
  }
  if (completeness === undefined) return expect(output).toEqual(expected);
  expect(output).toMatchObject({ completeness, warnings, status, gcc_id: expect.stringMatching(/^[\da-f-]{36}$/) });
}

/** Whether each command is installed. If a command is missing, its tests are skipped, and the suite title says so. */
const [withCurl, withPython, withGo] = await Promise.all([
  has('curl', ['--version']),
  has('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 8))']),
  has('go', ['version']),
]);
const fileNameOf = (title: string) => title.replaceAll(/\W+/g, '-');
const title = (name: string, installed: boolean) => (installed ? name : `${name} (skipped: not installed)`);

describe.skipIf(!withCurl)(title('the curl snippet', withCurl), () => {
  it.each(CALLS)('prints the service’s response for $title when run unchanged', async ({ call }) => {
    await expectResponse(call, await outputOf('sh', ['-c', curl(await withOwnId(call))]));
  });
});

/** A process that runs several files in sequence, which is much faster than starting a process for each file. */
interface Interpreter {
  /** Runs a file and parses its output. */
  outputOf(file: string): Promise<unknown>;
  stop(): void;
}

/** @param args arguments for a command that reads one path per line and prints each file's output as a JSON string */
function startInterpreter(command: string, args: string[]): Interpreter {
  const child = spawn(command, args, { env, cwd: folder, stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async outputOf(file) {
      child.stdin.write(`${join(folder, file)}\n`);
      const { value = '""' } = await lines.next();
      const output = JSON.parse(value) as string;
      try {
        return JSON.parse(output);
      } catch {
        throw new Error(`${command} didn't print JSON:\n${output}`);
      }
    },
    stop: () => child.kill(),
  };
}

const RUN_NODE = `import { createInterface } from 'node:readline';
for await (const file of createInterface({ input: process.stdin })) {
  const printed = [];
  console.log = text => printed.push(text);
  await import(file).catch(error => printed.push(error.stack));
  process.stdout.write(JSON.stringify(printed.join('\\n')) + '\\n');
}
`;

describe('the Node.js snippet', () => {
  let interpreter: Interpreter;
  beforeAll(async () => {
    await mkdir(join(folder, 'node_modules/@compliance'), { recursive: true });
    await symlink(join(CLIENTS, 'node'), join(folder, 'node_modules/@compliance/client'));
    await writeFile(join(folder, 'run.mjs'), RUN_NODE);
    interpreter = startInterpreter(process.execPath, ['--conditions=@compliance/source', 'run.mjs']);
  });
  afterAll(() => interpreter?.stop());

  it.each(CALLS)('prints the service’s response for $title when run unchanged', async ({ title, call }) => {
    const file = `${fileNameOf(title)}.mjs`;
    await writeFile(join(folder, file), node(await withOwnId(call)));
    await expectResponse(call, await interpreter.outputOf(file));
  });
});

const RUN_PYTHON = `import contextlib, io, json, runpy, sys, traceback
for line in sys.stdin:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        try:
            runpy.run_path(line.strip(), run_name="__main__")
        except BaseException:
            traceback.print_exc(file=printed)
    print(json.dumps(printed.getvalue()), flush=True)
`;

describe.skipIf(!withPython)(title('the Python snippet', withPython), () => {
  let interpreter: Interpreter;
  beforeAll(() => {
    interpreter = startInterpreter('python3', ['-c', RUN_PYTHON]);
  });
  afterAll(() => interpreter?.stop());

  it.each(CALLS)('prints the service’s response for $title when run unchanged', async ({ title, call }) => {
    const file = `${fileNameOf(title)}.py`;
    await writeFile(join(folder, file), python(await withOwnId(call)));
    await expectResponse(call, await interpreter.outputOf(file));
  });
});

describe.skipIf(!withGo)(title('the Go snippet', withGo), () => {
  // Link all programs into one, because linking each program separately takes much longer than compiling it.
  beforeAll(async () => {
    const client = 'github.com/portfolio-compliance/compliance-go';
    const lines = ['module snippets', 'go 1.21', `require ${client} v0.0.0`, `replace ${client} => ${CLIENTS}/go`];
    await writeFile(join(folder, 'go.mod'), `${lines.join('\n')}\n`);
    for (const [i, { call }] of CALLS.entries()) {
      const program = go(await withOwnId(call));
      for (const kind of ['program', 'package']) await mkdir(join(folder, kind, `go${i}`), { recursive: true });
      await writeFile(join(folder, 'program', `go${i}`, 'main.go'), program);
      const exported = program.replace('package main', `package go${i}`).replace('func main()', 'func Main()');
      await writeFile(join(folder, 'package', `go${i}`, 'main.go'), exported);
    }
    const imports = CALLS.map((_, i) => `import "snippets/package/go${i}"`).join('\n');
    const cases = CALLS.map((_, i) => `case "${i}": go${i}.Main()`).join('\n');
    const main = `package main\nimport "os"\n${imports}\nfunc main() {\nswitch os.Args[1] {\n${cases}\n}\n}\n`;
    await writeFile(join(folder, 'main.go'), main);
    // `go vet` type-checks the unchanged programs without linking them.
    await run('go', ['vet', './program/...'], { env, cwd: folder });
    await run('go', ['build', '-ldflags=-s -w', '-o', 'snippets', '.'], { env, cwd: folder });
  });

  it.each(CALLS)('compiles successfully and prints the service’s response for $title', async ({ call }) => {
    const i = CALLS.findIndex(each => each.call === call);
    await expectResponse(call, await outputOf(join(folder, 'snippets'), [String(i)]));
  });

  it('matches the formatting that gofmt requires', async () => {
    const { stdout } = await run('gofmt', ['-l', 'program'], { cwd: folder });
    expect(stdout).toBe('');
  });
});

describe('snippet escaping', () => {
  it('escapes special characters for the shell, Node.js, and Python', async () => {
    const operation = OPERATIONS.find(({ id }) => id === 'tariff.hts.lookup') as ExampleCall['operation'];
    const call = { operation, request: { codes: [`'"$(touch x)\`\\`, 'ä\u2028</script>'], as_of: '2026-10-01' } };
    if (withCurl) await expectResponse(call, await outputOf('sh', ['-c', curl(call)]));
    await writeFile(join(folder, 'hostile.mjs'), node(call));
    await expectResponse(call, await outputOf(process.execPath, ['--conditions=@compliance/source', 'hostile.mjs']));
    if (withPython) await expectResponse(call, await outputOf('python3', ['-c', python(call)]));
  });
});
