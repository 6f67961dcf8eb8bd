import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPublicAddress } from './public-address.ts';

/**
 * Blocks in the IANA IPv4 Special-Purpose Address Registry, plus the multicast block and the address of Azure's
 * WireServer.
 */
const specialV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '255.255.255.255/32',
  '168.63.129.16/32',
];

/**
 * Blocks in the IANA IPv6 Special-Purpose Address Registry, plus multicast, site-local, and all other blocks outside
 * 2000::/3.
 */
const specialV6 = [
  '::/128',
  '::1/128',
  '::/96',
  '::ffff:0:0/96',
  '::ffff:0:0:0/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '100:0:0:1::/64',
  '2001::/32',
  '2001:2::/48',
  '2001:10::/28',
  '2001:20::/28',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  '4000::/2',
  '5f00::/16',
  '8000::/1',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
];

const toBits = (address: string): bigint =>
  address.includes(':')
    ? expand(address).reduce((bits, part) => (bits << 16n) | BigInt(`0x${part}`), 0n)
    : address.split('.').reduce((bits, part) => (bits << 8n) | BigInt(part), 0n);

function expand(address: string): string[] {
  const [head = '', tail] = address.split('::').map(side => side);
  const parts = (side: string) => (side === '' ? [] : side.split(':'));
  if (tail === undefined) return parts(head);
  const filled = Array(8 - parts(head).length - parts(tail).length).fill('0');
  return [...parts(head), ...filled, ...parts(tail)];
}

const v4 = (bits: bigint): string => [24n, 16n, 8n, 0n].map(shift => (bits >> shift) & 255n).join('.');
const v6 = (bits: bigint): string =>
  [112n, 96n, 80n, 64n, 48n, 32n, 16n, 0n].map(shift => ((bits >> shift) & 0xffffn).toString(16)).join(':');

/** Generates a random address within a block. */
function within(cidr: string): fc.Arbitrary<bigint> {
  const [base = '', length = ''] = cidr.split('/');
  const free = BigInt((base.includes(':') ? 128 : 32) - Number(length));
  return fc.bigInt({ min: 0n, max: (1n << free) - 1n }).map(host => toBits(base) | host);
}

function inside(bits: bigint, cidr: string, width: number): boolean {
  const [base = '', length = ''] = cidr.split('/');
  const free = BigInt(width - Number(length));
  return bits >> free === toBits(base) >> free;
}

const anyV4 = fc.bigInt({ min: 0n, max: (1n << 32n) - 1n });
const globalV6 = fc.bigInt({ min: 0n, max: (1n << 125n) - 1n }).map(bits => bits | (1n << 125n));

describe('isPublicAddress with addresses that aren’t on the public internet', () => {
  it.each(specialV4)('rejects addresses in the IPv4 block %s', cidr => {
    fc.assert(fc.property(within(cidr), bits => !isPublicAddress(v4(bits))));
  });

  it.each(specialV6)('rejects addresses in the IPv6 block %s', cidr => {
    fc.assert(fc.property(within(cidr), bits => !isPublicAddress(v6(bits))));
  });

  it.each([
    ['loopback', '127.0.0.1'],
    ['cloud metadata', '169.254.169.254'],
    ['Azure WireServer', '168.63.129.16'],
    ['Alibaba metadata', '100.100.100.200'],
    ['Oracle metadata', '192.0.0.192'],
    ['AWS metadata over IPv6', 'fd00:ec2::254'],
    ['unspecified', '0.0.0.0'],
    ['broadcast', '255.255.255.255'],
  ])('rejects a special-purpose address: %s (%s)', (_, address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

describe('isPublicAddress with IPv6 addresses that embed an IPv4 address', () => {
  it.each<[string, (bits: bigint) => bigint]>([
    ['mapped', bits => (0xffffn << 32n) | bits],
    ['compatible', bits => bits],
    ['translated (SIIT)', bits => (0xffffn << 48n) | bits],
    ['NAT64', bits => (0x64ff9bn << 96n) | bits],
    ['local NAT64', bits => (0x64ff9b0001n << 80n) | bits],
    ['6to4', bits => (0x2002n << 112n) | (bits << 80n)],
    ['Teredo', bits => (0x20010000n << 96n) | (bits ^ 0xffffffffn)],
    ['ISATAP', bits => (0x2600n << 112n) | (0x5efen << 32n) | bits],
    ['ISATAP, universal', bits => (0x2600n << 112n) | (0x02005efen << 32n) | bits],
  ])('rejects any IPv6 address that embeds an IPv4 address: %s', (_, wrap) => {
    fc.assert(fc.property(anyV4, bits => !isPublicAddress(v6(wrap(bits)))));
    expect(isPublicAddress(v6(wrap(toBits('93.184.216.34'))))).toBe(false);
  });

  it('rejects embedded IPv4 addresses in dotted notation', () => {
    fc.assert(
      fc.property(anyV4, fc.constantFrom('::ffff:', '::', '64:ff9b::', '::ffff:0:'), (bits, prefix) => {
        return !isPublicAddress(prefix + v4(bits));
      }),
    );
  });
});

describe('isPublicAddress with ordinary addresses', () => {
  it('accepts IPv4 addresses outside all special-purpose blocks', () => {
    fc.assert(
      fc.property(anyV4, bits => isPublicAddress(v4(bits)) === !specialV4.some(cidr => inside(bits, cidr, 32))),
      { numRuns: 2_000 },
    );
  });

  it('accepts global unicast IPv6 addresses outside all special-purpose blocks', () => {
    fc.assert(
      fc.property(globalV6, bits => isPublicAddress(v6(bits)) || specialV6.some(cidr => inside(bits, cidr, 128))),
      { numRuns: 2_000 },
    );
  });

  it.each(['1.1.1.1', '23.227.38.65', '2606:4700::6810:84e5', '2620:0127:f00f:5::'])(
    'accepts the address %s',
    address => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );
});

describe('isPublicAddress with text that isn’t an address in canonical form', () => {
  it.each([
    '',
    'localhost',
    '2130706433',
    '0177.0.0.1',
    '0x7f000001',
    '127.1',
    '1.1.1',
    '1.1.1.1.',
    ' 1.1.1.1',
    '01.1.1.1',
    '2606:4700::1%eth0',
    'fe80::1%25eth0',
    '[2606:4700::1]',
    '1.1.1.1/32',
  ])('rejects %j', address => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it('rejects arbitrary invalid text without throwing an error', () => {
    fc.assert(fc.property(fc.string(), text => !isPublicAddress(`x${text}`)));
    fc.assert(fc.property(globalV6, fc.string(), (bits, zone) => !isPublicAddress(`${v6(bits)}%${zone}`)));
  });
});
