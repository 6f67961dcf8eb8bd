import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failuresIn } from '../../scripts/fuzz/report.ts';
import { entriesFor, REVIEWED } from '../../scripts/fuzz/reviewed.ts';
import type { Endpoint } from '../operations/operation.ts';
import { OPERATIONS } from '../operations/operations.gen.ts';
import { type DescribedSchema, matchesSchema, requestSchema, resolveSchema } from '../testing/openapi-conformance.ts';
import { requestPath, startService } from '../testing/service.ts';
import { V0_OPERATIONS } from '../v0/operations/operations.gen.ts';

type Path = readonly (string | number)[];

const ID = '3f0c8a52-6b1d-4e0f-9c77-2a5d1e8b4f60';
/** A valid URL that never causes a network request. */
const RESERVED_URL = 'https://shop.test/';

/** Sample strings. For each pattern and format in the documents, at least one of these strings is valid. */
const VALID_TEXTS = [
  'wat_0mi7x4k2a0000f3a9c1d2e3f40516',
  'blk_0mi7x4k2a0000f3a9c1d2e3f40516',
  ...['16 CFR 1203', '2026-09-14', '16cfr1110.11-2026-07-08', 'unknown', 'US', '7318.15.2061', 'a@importer.example'],
  ...['+1 503 555 0142', ID, '012345678905', RESERVED_URL, Buffer.from(ID).toString('base64url')],
];

/** Edge-case strings, including near misses of valid strings. */
const ODD_TEXTS = [
  ...[
    '',
    ' ',
    '\t',
    '\n',
    '\u200b',
    '\u00ad',
    '\u2800',
    '\u0000',
    'a\u0000b',
    'a\u202eb',
    'a\u2066b',
    '\ufeffa\ufeff',
    ' a ',
  ],
  ...['a\nb', 'a\u2028b', '\r\na', 'a\u0085', 'a\ufffeb', 'a\u{1fffe}b', '\u{e0001}', '\u{e0001}a', 'é', '😀', '中国'],
  ...['2026-02-30', '2026-13-01', '2026-9-1', '2026-09', '2026-13', '2026-09-14T10:00:00Z', '2026-09-14T10:00:00'],
  ...['ZZ', 'zz', 'EU', 'uk', 'USA', 'usa', 'XXX', 'Germany', 'Atlantis', 'U.S.A.', 'AA', 'Viet Nam', '0000-00-00'],
  ...['0', '00', '0101', '0101.21', '010121.00', '01012100', '7701', '9801.00', '7318.15.20.61', '731815206', '1203.'],
  ...['a@b', 'a@b.example', 'a@@b.example', '"a"@b.example', 'a b@c.example', 'a@-b.example', 'a@b.c', '.a@b.example'],
  ...['12345', '+49 (0) 30 / 123-45 ext. 6', '555 ', '5   ', '1234x', '(12', '++1234', '0123456789012', '123456789'],
  ...['http://shop.test', 'HTTP://SHOP.test:80/a?b=c#d', 'https://shop.test:8443/', 'https://a:b@shop.test/'],
  ...[
    'ftp://shop.test/',
    'https://shop',
    'https://shop.test/a b',
    'https://shop.test/%zz',
    'https://',
    'https://-a.test',
  ],
  ...[
    '10',
    '1e1',
    '0x10',
    '101',
    '-1',
    '1.5',
    'true',
    ID.toUpperCase(),
    ID.replaceAll('-', ''),
    `${ID}0`,
    '16cfr1110x11',
  ],
  ...[19, 20, 40, 41, 50, 60, 100, 101, 200, 201, 250, 254, 300, 301, 500, 501].flatMap(length => [
    'x'.repeat(length),
    '😀'.repeat(length),
  ]),
];

const ODD_VALUES = [null, true, 0, -1, 1.5, 100.5, 2201, 1e13, [], {}, ['US'], { color: 1 }];

/** Fields that the service checks only if all other fields pass validation. */
const CHECKED_LATER = ['programs', 'code', 'url', 'cursor', 'supersedes', 'text_version'];

/** Returns a value that matches a schema, with as many optional properties as possible and one item in each array. */
function sampleOf(described: DescribedSchema): unknown {
  const schema = resolveSchema(described);
  const { properties, items, minimum = 0, examples = [], enum: values = [], anyOf = [] } = schema;
  const all = Object.entries(properties ?? {}).map(([name, property]) => [name, sampleOf(property)] as const);
  const candidates = properties
    ? // Some optional properties can't be combined, so try omitting each property, and then each pair.
      [[], ...all.map(([name]) => [name]), ...all.flatMap(([name]) => all.map(([other]) => [name, other]))].map(left =>
        Object.fromEntries(all.filter(([name]) => !left.includes(name))),
      )
    : [
        ...[...examples, ...values, schema.const],
        ...anyOf.filter(arm => resolveSchema(arm).properties).map(sampleOf),
        ...[...VALID_TEXTS, minimum, true, null, 'all'],
        ...(items ? [[sampleOf(items)]] : []),
      ];
  return candidates.find(candidate => matchesSchema(schema, candidate));
}

interface Leaf {
  path: Path;
  schema: DescribedSchema;
}

/** Maximum total length of the values in a request, in characters. */
const MAX_TEXT = 100_000;

/** Returns a sample's values, except objects and arrays, with their schemas. */
function leavesOf(described: DescribedSchema, sample: unknown, path: Path = []): Leaf[] {
  const schema = resolveSchema(described);
  const { properties, items, anyOf = [] } = schema;
  const arm = anyOf.find(each => resolveSchema(each).properties && matchesSchema(each, sample));
  if (arm) return leavesOf(arm, sample, path);
  if (items && Array.isArray(sample)) return sample.flatMap((each, at) => leavesOf(items, each, [...path, at]));
  if (!properties) return [{ path, schema }];
  return Object.entries(sample as object).flatMap(([name, each]) => leavesOf(properties[name]!, each, [...path, name]));
}

function withValue(sample: unknown, [first, ...rest]: Path, value: unknown): unknown {
  if (first === undefined) return value;
  const fields = sample as Record<string | number, unknown>;
  return Object.assign(Array.isArray(sample) ? [...sample] : {}, fields, {
    [first]: withValue(fields[first], rest, value),
  });
}

/**
 * Returns whether the service might accept a value that the field's schema forbids, such as text surrounded by spaces,
 * an internationalized email address, or another spelling of a URL, HTS code, or country.
 */
function isLenient(path: Path, value: unknown): boolean {
  const isOtherSpelling = /(?:^|_)(?:url|code|country|email)$/.test(`${path.at(-1)}`);
  return typeof value === 'string' && (isOtherSpelling || value.trim() !== value);
}

let service: Awaited<ReturnType<typeof startService>>;
let headers: Record<string, string>;
beforeAll(async () => {
  service = await startService();
  headers = { Authorization: `Bearer ${await service.issue()}` };
});
afterAll(() => service.stop());

/** Sends a request and returns the response in the form that Schemathesis uses to report a rejected valid request. */
async function rejection({ method, path, examples }: Endpoint, request: unknown) {
  service.time.now += 90_000;
  const params = examples[0]!.params as Record<string, string> | undefined;
  const response =
    method === 'get'
      ? await service.get(requestPath({ path } as Endpoint, request as Record<string, string>), { headers })
      : await service.post(requestPath({ path } as Endpoint, { ...params }), request, headers);
  const status = response.status;
  const content = { $base64: Buffer.from(await response.arrayBuffer()).toString('base64') };
  const failure = { operation: `${method.toUpperCase()} ${path}`, message: '' };
  const recorder = {
    checks: { a: [{ name: 'positive_data_acceptance', status: 'failure', failure_info: { failure } }] },
    interactions: { a: { request: { method, uri: path }, response: { status_code: status, content } } },
  };
  return failuresIn(JSON.stringify({ ScenarioFinished: { recorder } })).failures[0]!;
}

describe.each([...OPERATIONS, ...V0_OPERATIONS] as Endpoint[])('the operation $id', operation => {
  const { id, method, path: route } = operation;
  const schema = requestSchema(id);
  const isCertificate = ['entry.cpc.generate', 'entry.gcc.generate', 'entry.gcc.supersede'].includes(id);
  // The schema can't express that an exclusion is invalid if its rule isn't cited. Because the sample has such an
  // exclusion, the service rejects every certificate request and doesn't issue certificates.
  const uncited = isCertificate && { exclusions: [{ rule: 'uncited', basis: 'a' }] };
  const valid = sampleOf(schema) as { certificate?: object };
  const isExport = id === 'entry.gcc.efiling';
  // Only a Children's Product Certificate can have all of the fields in the sample.
  const childrens = { certificate_type: 'CPC', exclusions: [{ rule: 'uncited', basis: 'a' }] };
  const sample = { ...valid, ...uncited, ...(isExport && { certificate: { ...valid.certificate, ...childrens } }) };
  const leaves = leavesOf(schema, sample);
  const values = method === 'get' ? ODD_TEXTS : [...ODD_TEXTS, ...ODD_VALUES];

  /**
   * Returns whether the document allows a value. An integer query parameter that consists only of digits is checked as
   * a number.
   */
  function isAllowed({ schema }: Leaf, value: unknown): boolean {
    const isNumber = method === 'get' && schema.type === 'integer' && /^[0-9]+$/.test(`${value}`);
    return matchesSchema(schema, isNumber ? Number(value) : value);
  }

  /**
   * Sets fields to a value, and expects the service to reject the value in exactly the fields whose schemas forbid it.
   */
  async function expectAgreement(fields: readonly Leaf[], value: unknown) {
    const sent = fields.filter(({ path }) => !(route.includes(`{${path[0]}}`) && ['', '.', '..'].includes(`${value}`)));
    const failure = await rejection(
      operation,
      sent.reduce((all, { path }) => withValue(all, path, value), sample as unknown),
    );
    const isReviewed = ![400, 422].includes(failure.status!) || entriesFor(failure, REVIEWED) !== null;
    const differing = sent.filter(leaf => {
      const name = leaf.path.join('.').replaceAll(/\b\d+\b/g, '*');
      const isRejected = failure.details.some(
        detail =>
          detail === 'scan_failed invalid_url' || detail.startsWith(`${name} `) || detail.startsWith(`${name}.`),
      );
      if (isAllowed(leaf, value)) return isRejected && !isReviewed;
      return !isRejected && !isLenient(leaf.path, value);
    });
    expect({
      value,
      differing: differing.map(({ path }) => path),
      details: differing.length > 0 && failure.details,
    }).toEqual({
      ...{ value, differing: [], details: false },
    });
  }

  it('rejects exactly the field values that its document forbids, apart from reviewed exceptions', async () => {
    expect(matchesSchema(schema, sample)).toBe(true);
    const checkedAtOnce = leaves.filter(({ path }) => !CHECKED_LATER.includes(`${path.at(-1)}`));
    for (const value of values) {
      // Limit the body size so that the service doesn't reject the request as too large.
      const count = Math.max(1, Math.floor(MAX_TEXT / JSON.stringify(value).length));
      for (let at = 0; at < checkedAtOnce.length; at += count)
        await expectAgreement(checkedAtOnce.slice(at, at + count), value);
    }
    for (const leaf of leaves.filter(({ path }) => CHECKED_LATER.includes(`${path.at(-1)}`)))
      for (const value of values) await expectAgreement([leaf], value);
  });

  it('rejects a random string if, and only if, the OpenAPI document forbids it', async () => {
    const fields = leaves.filter(({ path }) => !CHECKED_LATER.includes(`${path.at(-1)}`));
    const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(text, text => expectAgreement(fields, text)),
      { numRuns: 20 },
    );
  });
});
