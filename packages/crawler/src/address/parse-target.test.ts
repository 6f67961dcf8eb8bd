import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ScanFailed } from '../scan-failed.ts';
import { isPublicName, literalAddress, parseTarget } from './parse-target.ts';
import { isPublicAddress } from './public-address.ts';

/** Returns the IP address that parseTarget recognizes in a host, or null if the host is a name. */
const literal = (host: string) => literalAddress(parseTarget(`http://${host}/`));

describe('parseTarget with an IP address as the host', () => {
  it.each([
    '2130706433',
    '0177.0.0.1',
    '0x7f000001',
    '0x7f.1',
    '127.1',
    '017700000001',
    '127.0.0.1.',
    '１２７.0.0.1',
    '127。0。0。1',
    '%31%32%37.0.0.1',
  ])('parses the host %s as 127.0.0.1', host => {
    expect(literal(host)).toBe('127.0.0.1');
  });

  it('normalizes IP addresses in decimal, octal, hex, mixed, and shortened forms, with or without a trailing dot', () => {
    const forms: ((n: number) => string)[] = [String, n => `0${n.toString(8)}`, n => `0x${n.toString(16)}`];
    const part = fc.tuple(fc.nat(255), fc.constantFrom(...forms));
    fc.assert(
      fc.property(
        fc.tuple(part, part, part, part),
        fc.integer({ min: 1, max: 4 }),
        fc.constantFrom('', '.'),
        (parts, count, dot) => {
          const plain = parts.map(([value]) => value).join('.');
          const tail = parts.slice(count - 1).reduce((sum, [value]) => sum * 256 + value, 0);
          const lastForm = parts[3][1];
          const spelled = [...parts.slice(0, count - 1).map(([value, form]) => form(value)), lastForm(tail)].join('.');
          expect(literal(spelled + dot)).toBe(plain);
        },
      ),
    );
  });

  it('shortens an IPv6 host and removes its brackets', () => {
    expect(literal('[::ffff:127.0.0.1]')).toBe('::ffff:7f00:1');
    expect(literal('[0:0:0:0:0:0:0:1]')).toBe('::1');
    expect(literal('shop.example')).toBeNull();
  });
});

describe('parseTarget with arbitrary text', () => {
  it.each([
    '',
    ' ',
    'http:///',
    'http://',
    'file:///etc/passwd',
    'gopher://shop.example/',
    'data:text/html,<p>',
    'javascript:alert(1)',
    'blob:https://shop.example/1',
    'ftp://shop.example/',
    'http://shop.example:22/',
    'http://shop.example:6379/',
    'http://shop.example:8080/',
    'http://user@shop.example/',
    'http://user:password@shop.example/',
    'http://good.example@127.0.0.1/',
    'http://[fe80::1%25eth0]/',
    'http://[::1/',
    'http://1.2.3.4.5/',
    'http://shop.ex\tample/',
    'http://shop.example/\r\nHost: x',
    'http://sh op.example/',
    `http://shop.example/${'a'.repeat(2_100)}`,
    `http://${'a.'.repeat(150)}example/`,
  ])('rejects %j as an invalid URL', address => {
    expect(() => parseTarget(address)).toThrow(new ScanFailed('invalid_url'));
  });

  it('returns an HTTP or HTTPS URL on port 80 or 443, or throws an `invalid_url` error', () => {
    const pieces = fc.constantFrom('http:', '//', '/', '\\', '@', '#', '?', ':', '127.0.0.1', 'a.b', '[::1]', '%', '.');
    const address = fc.oneof(
      fc.webUrl(),
      fc.string({ unit: 'binary' }),
      fc.array(pieces).map(parts => parts.join('')),
    );
    fc.assert(
      fc.property(address, text => {
        try {
          const url = parseTarget(text);
          expect(url.protocol).toMatch(/^https?:$/);
          expect(['', '80', '443']).toContain(url.port);
          expect(url.username + url.password + url.hash).toBe('');
        } catch (error) {
          expect(error).toEqual(new ScanFailed('invalid_url'));
        }
      }),
    );
  });
});

describe('parseTarget normalization', () => {
  it.each([
    ['http://127.0.0.1\\@good.example/', '127.0.0.1'],
    ['http://127.0.0.1#@good.example/', '127.0.0.1'],
    ['http://127.0.0.1?@good.example/', '127.0.0.1'],
    ['http:127.0.0.1', '127.0.0.1'],
    ['HTTP:\\\\127.0.0.1\\', '127.0.0.1'],
    ['http:////127.0.0.1', '127.0.0.1'],
  ])('parses the host in the URL %s as %s', (address, host) => {
    expect(parseTarget(address).hostname).toBe(host);
    expect(isPublicAddress(host)).toBe(false);
  });
});

it('adds https:// to a bare host, removes a trailing dot and a fragment, and converts the hostname to ASCII', () => {
  expect(parseTarget('shop.example').href).toBe('https://shop.example/');
  expect(parseTarget(' Shop.Example./a#b ').href).toBe('https://shop.example/a');
  expect(parseTarget('https://bücher.example').hostname).toBe('xn--bcher-kva.example');
  expect(parseTarget('//cdn.example/x.js', new URL('http://shop.example/')).href).toBe('http://cdn.example/x.js');
});

describe('isPublicName', () => {
  it.each([
    'localhost',
    'a.localhost',
    'printer.local',
    'metadata.google.internal',
    'router.home.arpa',
    'shop',
    'intranet',
    'db.corp',
    'hidden.onion',
    'a..example',
    'a.example.',
    '',
  ])('rejects the hostname %j, which can’t be public', name => {
    expect(isPublicName(name)).toBe(false);
  });

  it.each(['shop.example', 'local.example', 'mylocal.shop', 'internal.shop.com', 'xn--bcher-kva.example'])(
    'accepts the hostname %s',
    name => expect(isPublicName(name)).toBe(true),
  );
});
