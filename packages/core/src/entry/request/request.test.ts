import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { completeRequest } from '../samples/requests.ts';
import type { InvalidRequest, Issue } from './issues.ts';
import { parseRequest } from './parse.ts';
import { CertificateRequestSchema } from './schema.ts';

const today = '2026-11-21';

function issuesOf(input: unknown): readonly Issue[] {
  try {
    parseRequest(input, today);
    return [];
  } catch (error) {
    return (error as InvalidRequest).issues;
  }
}

/**
 * Returns a deep copy of the complete request with the value at a dotted path replaced, or removed if the new value is
 * undefined.
 */
function withValue(path: string, value: unknown): unknown {
  const copy: unknown = JSON.parse(JSON.stringify(completeRequest));
  const keys = path.split('.');
  let target = copy as Record<string, unknown>;
  for (const key of keys.slice(0, -1)) target = target[key] as Record<string, unknown>;
  if (value === undefined) delete target[keys.at(-1)!];
  else target[keys.at(-1)!] = value;
  return copy;
}

const codesOf = (path: string, value: unknown) =>
  issuesOf(withValue(path, value)).map(({ path, code }) => `${path} ${code}`);

describe('certificate request validation', () => {
  it.each([
    ['product_info.date_of_manufacture', '2026-05', '2026-05'],
    ['product_info.date_of_manufacture', '2026-11', '2026-11'],
    ['manufacturer.country', 'cn', 'CN'],
    ['manufacturer.country', 'CHN', 'CN'],
    ['manufacturer.country', 'china', 'CN'],
    ['certifier.country', 'USA', 'US'],
    ['certifier.country', 'United States of America', 'US'],
    ['certifier.country', 'uk', 'GB'],
    ['certifier.phone', '+1 503 555 0142 ext. 12', '+1 503 555 0142 ext. 12'],
    ['certifier.phone', '(503) 555-0142 Ext 7', '(503) 555-0142 Ext 7'],
    ['certifier.email', 'info@münchen.example', 'info@münchen.example'],
    ['certifier.email', '用户@例子.公司', '用户@例子.公司'],
    ['certifier.address', '410 Alder Street\r\nSuite 2\r\n', '410 Alder Street, Suite 2'],
    ['manufacturer.address', '88 Keyuan Road,\n\nShenzhen', '88 Keyuan Road, Shenzhen'],
    ['manufacturer.address', '88 Keyuan Road\tShenzhen\t', '88 Keyuan Road Shenzhen'],
    ['product_info.name', 'Road\thelmet', 'Road helmet'],
  ])('accepts %s = %j and parses it as %j', (path, value, expected) => {
    const read = path
      .split('.')
      .reduce<unknown>(
        (part, key) => (part as Record<string, unknown>)[key],
        parseRequest(withValue(path, value), today),
      );
    expect(read).toBe(expected);
  });

  it('takes linear time to reject a huge address with many spaces before a line break', () => {
    const address = `a${' '.repeat(1_000_000)}b\n`.repeat(2);
    expect(codesOf('manufacturer.address', address)).toEqual(['manufacturer.address TOO_LONG']);
  });

  it.each(['\u200b', '\ufe0f', ' \u200d\u2060 ', '\u2800', '\u00ad'])('treats the invisible text %j as empty', text => {
    expect(codesOf('product_info.name', text)).toEqual(['product_info.name REQUIRED']);
  });

  describe('a request without a testing lab or test date', () => {
    const { testing_lab, tests, ...untested } = completeRequest;
    const shirt = { ...untested, cpsc_rules_cited: ['16 CFR 1610'] };
    const exclusions = [{ rule: '16 CFR 1610', basis: '16 CFR 1610.1(d)(1)' }];

    it.each([
      ['every cited rule is excluded', { ...shirt, exclusions }],
      ['the citation names the exclusion', { ...shirt, cpsc_rules_cited: ['16 CFR 1610.1(d)(1)'] }],
      [
        'the other rules don’t require a certificate',
        { ...shirt, exclusions, cpsc_rules_cited: ['16 CFR 1610', '16 CFR 1110'] },
      ],
      ['the lab has no test date', { ...shirt, exclusions, testing_lab: { name: testing_lab.name } }],
    ])('is accepted if %s', (_, request) => {
      expect(issuesOf(request)).toEqual([]);
    });

    it('is rejected with an error that explains when the lab isn’t required', () => {
      expect(issuesOf({ ...shirt, exclusions, cpsc_rules_cited: ['16 CFR 1610', '16 CFR 1303'] })).toEqual([
        {
          path: 'testing_lab',
          code: 'REQUIRED',
          message: 'is required unless every cited rule is listed in exclusions or doesn’t need a test',
        },
      ]);
    });

    it('is rejected if a test refers to the missing lab', () => {
      const request = { ...shirt, exclusions, tests: [{ rule: '16 CFR 1610', test_date: '2026-08-30' }] };
      expect(issuesOf(request)).toMatchObject([{ path: 'testing_lab', code: 'REQUIRED' }]);
    });
  });

  it('accepts a complete request', () => {
    expect(issuesOf(completeRequest)).toEqual([]);
  });

  it('returns an error for each missing required field', () => {
    expect(issuesOf({ product_info: {}, manufacturer: {}, testing_lab: {} }).map(({ path }) => path)).toEqual([
      'product_info.name',
      'product_info.date_of_manufacture',
      'product_info.place_of_manufacture',
      'manufacturer.name',
      'manufacturer.address',
      'manufacturer.contact_email',
      'testing_lab.name',
      'testing_lab.test_date',
      'cpsc_rules_cited',
    ]);
    expect(issuesOf(null)).toEqual([{ path: '', code: 'INVALID_TYPE', message: 'must be an object' }]);
    expect(issuesOf(undefined)).toMatchObject([{ path: '', code: 'REQUIRED' }]);
  });

  it.each([
    ['product_info.name', '', 'REQUIRED'],
    ['product_info.name', ' \u3000', 'REQUIRED'],
    ['product_info.name', 7, 'INVALID_TYPE'],
    ['product_info.name', null, 'INVALID_TYPE'],
    ['product_info.name', 'x'.repeat(251), 'TOO_LONG'],
    ['product_info.name', 'a\u0000b', 'INVALID_CHARACTER'],
    ['product_info.name', 'a\nb', 'INVALID_CHARACTER'],
    ['product_info.name', 'gpj\u202etxt', 'INVALID_CHARACTER'],
    ['product_info.name', 'half \ud83d', 'INVALID_CHARACTER'],
    ['product_info.name', '\ufffe', 'INVALID_CHARACTER'],
    ['product_info.name', '\u{1ffff}', 'INVALID_CHARACTER'],
    ['product_info.date_of_manufacture', '2026-02-30', 'INVALID_DATE'],
    ['product_info.date_of_manufacture', '14/09/2026', 'INVALID_DATE'],
    ['product_info.date_of_manufacture', '2026-13', 'INVALID_DATE'],
    ['product_info.date_of_manufacture', '2026', 'INVALID_DATE'],
    ['product_info.date_of_manufacture', '2026-12', 'DATE_IN_FUTURE'],
    ['product_info.production_end', '2026-08', 'INVALID_FORMAT'],
    ['testing_lab.test_date', '2026-08', 'INVALID_DATE'],
    ['testing_lab.test_date', undefined, 'REQUIRED'],
    ['testing_lab', undefined, 'REQUIRED'],
    ['product_info.date_of_manufacture', '2026-11-23', 'DATE_IN_FUTURE'],
    ['product_info.date_of_manufacture', undefined, 'REQUIRED'],
    ['product_info.gtin', '123', 'INVALID_FORMAT'],
    ['product_info.color', 'red', 'UNKNOWN_FIELD'],
    ['manufacturer.address', 'x'.repeat(501), 'TOO_LONG'],
    ['manufacturer.contact_email', 'no-at-sign', 'INVALID_EMAIL'],
    ['manufacturer.contact_email', 'a@b.example\r\nBcc: c@d.example', 'INVALID_CHARACTER'],
    ['manufacturer.phone', 'call us', 'INVALID_FORMAT'],
    ['manufacturer.country', 'Middle-earth', 'INVALID_FORMAT'],
    ['testing_lab.type', 'friend', 'INVALID_FORMAT'],
    ['testing_lab.report_ids', 'PTL', 'INVALID_TYPE'],
    ['cpsc_rules_cited', [], 'TOO_FEW'],
    ['cpsc_rules_cited', Array.from({ length: 201 }, (_, at) => `rule ${at}`), 'TOO_MANY'],
    ['cpsc_rules_cited.0', '', 'REQUIRED'],
    ['cpsc_rules_cited.0', {}, 'INVALID_TYPE'],
    ['certifier.role', 'friend', 'INVALID_FORMAT'],
    ['certifier.email', 'x', 'INVALID_EMAIL'],
    ['records_contact.email', 'x', 'INVALID_EMAIL'],
    ['tests.0.rule', '16 CFR 1512', 'INVALID_FORMAT'],
    ['tests.0.lab_index', 1, 'INVALID_FORMAT'],
    ['tests.0.lab_index', -1, 'INVALID_FORMAT'],
    ['tests.0.test_date', '2027-01-01', 'DATE_IN_FUTURE'],
    ['tests.0.report_url', 'javascript:alert(1)', 'INVALID_FORMAT'],
    ['attestation.attested_at', '2026-13-01', 'INVALID_DATE'],
    ['attestation.attested_at', '2027-01-01T00:00:00Z', 'DATE_IN_FUTURE'],
    ['attestation.text_version', 'mine', 'INVALID_FORMAT'],
    ['supersedes', 'the last one', 'INVALID_FORMAT'],
    ['__proto__x', {}, 'UNKNOWN_FIELD'],
  ])('rejects %s = %j with the code %s', (path, value, code) => {
    expect(codesOf(path, value)).toContain(`${path} ${code}`);
  });

  it('rejects a request with a key that could cause prototype pollution', () => {
    for (const key of ['__proto__', 'constructor', 'toString']) {
      const input: unknown = JSON.parse(`{"${key}": {"a": 1}}`);
      expect(
        issuesOf({ ...completeRequest, ...(key === '__proto__' ? {} : (input as object)) }).map(({ path }) => path),
      ).toEqual(key === '__proto__' ? [] : [key]);
    }
    const polluted: unknown = JSON.parse(JSON.stringify(completeRequest).replace('{', '{"__proto__":{"a":1},'));
    expect(issuesOf(polluted).map(({ path }) => path)).toEqual(['__proto__']);
  });

  it('accepts a date one day in the future to allow for time zone differences', () => {
    expect(codesOf('product_info.date_of_manufacture', '2026-11-22')).toEqual([]);
    expect(codesOf('product_info.date_of_manufacture', '2024-02-29')).toEqual([]);
  });

  it('trims text values and normalizes them to NFC', () => {
    const request = parseRequest(withValue('product_info.name', '  Ve\u0301lo '), today);
    expect(request.product_info.name).toBe('V\u00e9lo');
  });

  it('measures length limits in characters, not code units', () => {
    expect(codesOf('product_info.name', '🚲'.repeat(250))).toEqual([]);
  });

  it('returns an error only for the invalid field', () => {
    const paths: string[] = [];
    const walk = (value: unknown, path: string[]) => {
      if (typeof value === 'string') paths.push(path.join('.'));
      else if (typeof value === 'object')
        for (const [key, inner] of Object.entries(value!)) walk(inner, [...path, key]);
    };
    walk(completeRequest, []);
    const wrong = fc.oneof(
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.constant({}),
      fc.constant([]),
      fc.string({ minLength: 600, maxLength: 700 }).map(text => `x${text.trim()}${'y'.repeat(600)}`),
      fc.constant('bad\u0007bell'),
    );
    fc.assert(
      fc.property(fc.constantFrom(...paths), wrong, (path, value) => {
        expect(new Set(issuesOf(withValue(path, value)).map(issue => issue.path))).toEqual(new Set([path]));
      }),
      { numRuns: Number(process.env.FUZZ_RUNS ?? 2000) },
    );
  });

  it('never repeats submitted values in error messages', () => {
    for (const issue of issuesOf(withValue('certifier.role', 's3cret'))) expect(issue.message).not.toContain('s3cret');
  });
});

describe('the request’s JSON Schema', () => {
  it('disallows unknown fields and specifies required fields and length limits', () => {
    const schema = z.toJSONSchema(CertificateRequestSchema, { io: 'input' });
    expect(schema.required).toEqual(['product_info', 'manufacturer', 'cpsc_rules_cited']);
    expect(schema.additionalProperties).toBe(false);
    const product = schema.properties?.product_info as { properties: Record<string, object>; required: string[] };
    expect(product.required).toEqual(['name', 'date_of_manufacture', 'place_of_manufacture']);
    expect(product.properties.name).toMatchObject({ type: 'string', minLength: 1, maxLength: 250 });
    const tests = schema.properties?.tests as { items: { properties: Record<string, object> } };
    expect(tests.items.properties.test_date).toMatchObject({ type: 'string', format: 'date' });
  });
});
