// Plays cases with the Node client. `node driver.mjs esm|cjs` reads a plan from standard input and prints what came of it.

import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { inspect } from 'node:util';

const compliance =
  process.argv[2] === 'cjs' ? createRequire(import.meta.url)('@compliance/client') : await import('@compliance/client');

const KINDS = {
  invalid_request: 'InvalidRequestError',
  authentication: 'AuthenticationError',
  beta_access: 'BetaAccessError',
  permission: 'PermissionError',
  rate_limit: 'RateLimitError',
  upstream: 'UpstreamError',
  connection: 'ConnectionError',
  timeout: 'TimeoutError',
  decode: 'DecodeError',
};

function call(client, { call, args, options = {} }) {
  const { timeout, cancelAfter, ...rest } = options;
  const own = { ...rest, ...(timeout && { timeoutMs: timeout * 1000 }) };
  if (cancelAfter) own.signal = AbortSignal.timeout(cancelAfter * 1000);
  if (call === 'tariff.hts.lookup') {
    const { codes, ...fields } = args;
    return client.tariff.hts.lookup(codes, fields, own);
  }
  if (call === 'tariff.lists') return client.tariff.lists(args, own);
  if (call === 'tariff.changes') return client.tariff.changes(args, own);
  if (call === 'pixel.scan') {
    const { url, ...fields } = args;
    return client.pixel.scan(url, fields, own);
  }
  return call === 'download' ? client.downloadCertificate(args, own) : client.entry.gcc.generate(args, own);
}

async function outcome(client, part, started) {
  let told;
  try {
    const result = await call(client, part);
    told = { result: result instanceof Uint8Array ? Buffer.from(result).toString('latin1') : result };
  } catch (error) {
    told = failure(error);
  }
  told.printed = `${told.printed ?? ''} ${inspect(client, { depth: 9, showHidden: true })} ${JSON.stringify(client)}`;
  return { ...told, rateLimit: client.rateLimit, seconds: (performance.now() - started) / 1000 };
}

function failure(error) {
  const printed = `${inspect(error, { depth: 9, showHidden: true })} ${error} ${JSON.stringify(error)} ${error.stack}`;
  if (!(error instanceof compliance.ComplianceError))
    return { ended: error instanceof TypeError ? 'refused' : 'cancelled', printed };
  const kinds = Object.keys(KINDS).filter(kind => error instanceof compliance[KINDS[kind]]);
  const { status, code, requestId, issues, retryAfter } = error;
  return { error: { kinds, status, code, requestId, issues, retryAfter }, printed };
}

async function played(part) {
  const started = performance.now();
  let client;
  try {
    const { key: apiKey, baseURL, timeout, maxRetries } = part;
    client = new compliance.Compliance({ apiKey, baseURL, maxRetries, ...(timeout && { timeoutMs: timeout * 1000 }) });
  } catch (error) {
    return [failure(error)];
  }
  return Promise.all(Array.from({ length: part.times }, () => outcome(client, part, started)));
}

/** The paths of the client's methods. */
function tree(value, path = '') {
  const shape = Object.getPrototypeOf(value);
  const methods = shape === Object.prototype ? [] : Object.getOwnPropertyNames(shape);
  const parts = Object.keys(value).filter(name => name !== 'exchange');
  return [
    ...methods.filter(name => name !== 'constructor' && typeof value[name] === 'function').map(name => path + name),
    ...parts.flatMap(name => tree(value[name], `${path}${name}.`)),
  ];
}

/** File handles, sockets among them, once those that are about to close have closed. */
async function handles(atMost) {
  for (let i = 0; ; i++) {
    const count = readdirSync('/proc/self/fd').length;
    if (count <= atMost || i > 100) return count;
    await new Promise(resolve => setTimeout(resolve, 100));
  }
}

async function soak({ key, baseURL, count }) {
  const client = new compliance.Compliance({ apiKey: key, baseURL });
  await client.tariff.hts.lookup(['warm']);
  const before = readdirSync('/proc/self/fd').length;
  const all = Array.from({ length: count }, (_, i) => `${i}`);
  const answers = await Promise.all(all.map(code => client.tariff.hts.lookup([code])));
  const wrong = answers.filter(({ results }, i) => results.length !== 1 || results[0].code !== all[i]).length;
  return { wrong, handles: { before, after: await handles(before) } };
}

const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const plan = JSON.parse(Buffer.concat(chunks).toString());
let told;
if (plan.play) told = Object.fromEntries(await Promise.all(plan.play.map(async each => [each.id, await played(each)])));
if (plan.soak) told = await soak(plan.soak);
if (plan.tree) told = tree(new compliance.Compliance({ apiKey: 'key' }));
process.stdout.write(JSON.stringify(told));
