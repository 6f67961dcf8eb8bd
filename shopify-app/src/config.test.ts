import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CannotStart, readConfig } from './config.ts';

const KEY = Buffer.alloc(32, 1).toString('base64');
const SECRET = 'shpss_0123456789abcdef';
const good = {
  SHOPIFY_API_KEY: '0123456789abcdef0123456789abcdef',
  SHOPIFY_API_SECRET: SECRET,
  SHOPIFY_APP_URL: 'https://app.example.com',
  TOKEN_KEYS: KEY,
  COMPLIANCE_CONTACT: 'mailto:ops@example.com',
};
const faultsOf = (settings: Record<string, string | undefined>): string => {
  try {
    readConfig({ ...good, ...settings });
    return '';
  } catch (error) {
    expect(error).toBeInstanceOf(CannotStart);
    return (error as Error).message;
  }
};

describe('settings', () => {
  it('are few, and the rest has a sensible value', () => {
    expect(readConfig(good)).toEqual({
      apiKey: good.SHOPIFY_API_KEY,
      apiSecret: SECRET,
      appUrl: 'https://app.example.com',
      tokenKeys: [Buffer.alloc(32, 1)],
      contact: 'mailto:ops@example.com',
      port: 8788,
      host: '127.0.0.1',
      dataDir: 'data',
      databaseUrl: undefined,
      jobsAtOnce: 2,
      s3: undefined,
    });
  });

  it('are all named when they are missing, and an empty line counts as none', () => {
    for (const env of [{}, Object.fromEntries(Object.keys(good).map(name => [name, '']))]) {
      try {
        readConfig(env);
        expect.unreachable();
      } catch (error) {
        for (const name of Object.keys(good)) expect((error as Error).message).toContain(`  ${name} is not set`);
      }
    }
  });

  it.each([
    ['http://app.example.com', 'SHOPIFY_APP_URL must be https, but on this machine'],
    ['ftp://app.example.com', 'SHOPIFY_APP_URL is the address merchants reach the app at, https://…'],
    ['app.example.com', 'SHOPIFY_APP_URL is the address merchants reach the app at, https://…'],
    ['https://app.example.com/app', 'SHOPIFY_APP_URL has nothing after the host'],
    ['https://app.example.com?x=1', 'SHOPIFY_APP_URL has nothing after the host'],
  ])('say why %s is no address of the app', (address, fault) => {
    expect(faultsOf({ SHOPIFY_APP_URL: address })).toContain(fault);
  });

  it.each(['http://localhost:3000', 'http://127.0.0.1:8788', 'https://app.example.com/'])('take %s', address => {
    expect(readConfig({ ...good, SHOPIFY_APP_URL: address }).appUrl).toBe(address.replace(/\/$/, ''));
  });

  it.each([
    'short',
    Buffer.alloc(31).toString('base64'),
    Buffer.alloc(33).toString('base64'),
    `${KEY},`,
    `${KEY} ${KEY}`,
  ])('refuse the keys %j without repeating them', keys => {
    const message = faultsOf({ TOKEN_KEYS: keys });
    expect(message).toContain('TOKEN_KEYS holds keys of 32 bytes in base64, newest first');
    expect(message).not.toContain(keys);
  });

  it('take several keys, also in the alphabet of addresses', () => {
    const other = Buffer.alloc(32, 0xfb);
    const config = readConfig({ ...good, TOKEN_KEYS: `${KEY},${other.toString('base64url')}` });
    expect(config.tokenKeys).toEqual([Buffer.alloc(32, 1), other]);
  });

  it('never repeat a secret', () => {
    expect(faultsOf({ SHOPIFY_API_SECRET: 'too short' })).toMatch(/SHOPIFY_API_SECRET is shorter/);
    expect(faultsOf({ SHOPIFY_API_SECRET: 'too short' })).not.toContain('too short');
    expect(faultsOf({ DATABASE_URL: 'mysql://user:password@host/db' })).toMatch(/DATABASE_URL is a postgres/);
    expect(faultsOf({ DATABASE_URL: 'mysql://user:password@host/db' })).not.toContain('password@');
  });

  it('refuse what would reach a page or a header as it stands', () => {
    expect(faultsOf({ SHOPIFY_API_KEY: '"><script>' })).toMatch(/SHOPIFY_API_KEY is the client id/);
    expect(faultsOf({ COMPLIANCE_CONTACT: 'call us' })).toMatch(/COMPLIANCE_CONTACT is an https or mailto address/);
  });

  it.each(['-1', '65536', 'eighty', '1.5'])('refuse the port %s', port => {
    expect(faultsOf({ PORT: port })).toMatch(/\n {2}PORT /);
  });

  it('name a bucket with all that belongs to it, or none', () => {
    const bucket = { S3_BUCKET: 'pdfs', S3_ENDPOINT: 'https://s3.example.com' };
    expect(() => readConfig({ ...good, ...bucket })).toThrow('set S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY too');
    const whole = { ...bucket, S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'key' };
    expect(readConfig({ ...good, ...whole }).s3).toMatchObject({ bucket: 'pdfs', region: 'us-east-1' });
  });
});

describe('the README', () => {
  const read = (file: string) => readFileSync(join(import.meta.dirname, file), 'utf8');
  it('describes every setting', () => {
    const names = [...read('config.ts').matchAll(/^ {2}([A-Z][A-Z0-9_]+):/gm)].map(([, name]) => name!);
    expect(names.length).toBeGreaterThan(10);
    const ofTheStore = ['S3_BUCKET', 'S3_ENDPOINT', 'S3_REGION', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'];
    for (const name of [...names, ...ofTheStore]) expect(read('../README.md')).toContain(`\`${name}\``);
  });
});
