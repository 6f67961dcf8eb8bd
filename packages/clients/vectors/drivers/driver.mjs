// Runs test cases with the Node client. `node driver.mjs esm|cjs` reads a test plan from standard input and prints the
// outcomes.

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

/** Converts times in seconds to options in milliseconds. */
const inMs = ({ timeout, deadline }) => ({
  ...(timeout && { timeoutMs: timeout * 1000 }),
  ...(deadline && { deadlineMs: deadline * 1000 }),
});

async function call(client, { call, method, path: parameters = [], takes, hasFields, args, options = {} }) {
  const { timeout, deadline, cancelAfter, ...rest } = options;
  const callOptions = { ...rest, ...inMs({ timeout, deadline }) };
  if (cancelAfter) callOptions.signal = AbortSignal.timeout(cancelAfter * 1000);
  if (call === 'download') return client.downloadCertificate(args, callOptions);
  const path = call.split('.');
  const name = path.pop().replace(/_all$/, 'All');
  const group = path.reduce((parent, part) => parent[part], client);
  const positional = takes === 'request' || method === 'get' ? parameters : [...parameters, ...takes];
  const fields = Object.fromEntries(Object.entries(args).filter(([field]) => !positional.includes(field)));
  const needsFields = method === 'get' || takes === 'request' || hasFields;
  const result = group[name](...positional.map(field => args[field]), ...(needsFields ? [fields] : []), callOptions);
  if (!name.endsWith('All')) return await result;
  const items = [];
  for await (const item of result) items.push(item);
  return items;
}

async function callOnce(client, part, started) {
  let outcome;
  try {
    const result = await call(client, part);
    if (result instanceof Uint8Array) outcome = { result: Buffer.from(result).toString('latin1') };
    else if (Array.isArray(result)) outcome = { result };
    else outcome = { result, response: compliance.responseOf(result) };
  } catch (error) {
    outcome = failure(error);
  }
  outcome.printed = `${outcome.printed ?? ''} ${inspect(client, { depth: 9, showHidden: true })} ${JSON.stringify(client)}`;
  return { ...outcome, rateLimit: client.rateLimit, seconds: (performance.now() - started) / 1000 };
}

function failure(error) {
  const printed = `${inspect(error, { depth: 9, showHidden: true })} ${error} ${JSON.stringify(error)} ${error.stack}`;
  if (!(error instanceof compliance.ComplianceError))
    return { ended: error instanceof TypeError ? 'rejected' : 'cancelled', printed };
  const { status, code, reason, requestId, issues, retryAfter, rateLimit } = error;
  const partial = error.partial?.results.length;
  const details = { kinds: kindsOf(error), status, code, reason, requestId, issues, retryAfter, rateLimit, partial };
  return { error: details, printed };
}

const kindsOf = error => Object.keys(KINDS).filter(kind => error instanceof compliance[KINDS[kind]]);

async function runCase(part) {
  const started = performance.now();
  let client;
  const events = [];
  const record = on => event => {
    const { durationMs, error } = event;
    const [kind] = error ? kindsOf(error) : [];
    const printed = inspect(event, { depth: 9, showHidden: true });
    events.push({ on, ...event, error: kind, printed, ...(durationMs && { seconds: durationMs / 1000 }) });
  };
  try {
    const { key: apiKey, baseURL, allowHttp, maxRetries, hooks } = part;
    const observers = hooks ? { onRequest: record('request'), onResponse: record('response') } : {};
    client = new compliance.Compliance({ apiKey, baseURL, allowHttp, maxRetries, ...inMs(part), ...observers });
  } catch (error) {
    return [failure(error)];
  }
  const outcomes = await Promise.all(Array.from({ length: part.times }, () => callOnce(client, part, started)));
  return outcomes.map(outcome => ({ ...outcome, events }));
}

/** Returns the paths of all client methods, such as `tariff.hts.lookup`. */
function methods(value, path = '') {
  const shape = Object.getPrototypeOf(value);
  const names = shape === Object.prototype ? [] : Object.getOwnPropertyNames(shape);
  const parts = Object.keys(value).filter(name => name !== 'exchange');
  return [
    ...names.filter(name => name !== 'constructor' && typeof value[name] === 'function').map(name => path + name),
    ...parts.flatMap(name => methods(value[name], `${path}${name}.`)),
  ];
}

/**
 * Waits, for up to about 10 seconds, until at most `limit` file handles are open. Returns the number of open handles,
 * including sockets.
 */
async function handles(limit) {
  for (let i = 0; ; i++) {
    const count = readdirSync('/proc/self/fd').length;
    if (count <= limit || i > 100) return count;
    await new Promise(resolve => setTimeout(resolve, 100));
  }
}

async function load({ key, baseURL, count }) {
  const client = new compliance.Compliance({ apiKey: key, baseURL });
  await client.tariff.hts.lookup(['warm']);
  const before = readdirSync('/proc/self/fd').length;
  const all = Array.from({ length: count }, (_, i) => `${i}`);
  const responses = await Promise.all(all.map(code => client.tariff.hts.lookup([code])));
  const wrong = responses.filter(({ results }, i) => results.length !== 1 || results[0].code !== all[i]).length;
  return { wrong, handles: { before, after: await handles(before) } };
}

/** Returns the decoded body of a webhook, or null if the client rejects the webhook. */
async function verify({ body, headers, secrets, now }) {
  try {
    return await compliance.verifyWebhook(body, headers, secrets, now * 1000);
  } catch (error) {
    if (!(error instanceof compliance.WebhookVerificationError)) throw error;
    return null;
  }
}

const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const plan = JSON.parse(Buffer.concat(chunks).toString());
let output;
if (plan.cases)
  output = Object.fromEntries(await Promise.all(plan.cases.map(async each => [each.id, await runCase(each)])));
if (plan.webhooks) output = await Promise.all(plan.webhooks.map(verify));
if (plan.load) output = await load(plan.load);
if (plan.methods) output = methods(new compliance.Compliance({ apiKey: 'key' }));
process.stdout.write(JSON.stringify(output));
