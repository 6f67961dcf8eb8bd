import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig, readFlagFile, readLabFile } from './config.ts';

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
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message;
  }
};

describe('readConfig', () => {
  it('uses defaults for optional settings', () => {
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
      render: false,
      s3: undefined,
      drain: { delayMs: 5_000, timeoutMs: 30_000 },
    });
  });

  it('lists all missing settings and treats an empty value as missing', () => {
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
    ['http://app.example.com', 'SHOPIFY_APP_URL must use HTTPS, except on localhost'],
    ['ftp://app.example.com', 'SHOPIFY_APP_URL must be the app’s public URL, such as https://app.example.com'],
    ['app.example.com', 'SHOPIFY_APP_URL must be the app’s public URL, such as https://app.example.com'],
    ['https://app.example.com/app', 'SHOPIFY_APP_URL must not have a username, path, query, or fragment'],
    ['https://app.example.com?x=1', 'SHOPIFY_APP_URL must not have a username, path, query, or fragment'],
  ])('explains why the app URL %s isn’t valid', (address, fault) => {
    expect(faultsOf({ SHOPIFY_APP_URL: address })).toContain(fault);
  });

  it.each(['http://localhost:3000', 'http://127.0.0.1:8788', 'https://app.example.com/'])(
    'accepts the app URL %s',
    address => {
      expect(readConfig({ ...good, SHOPIFY_APP_URL: address }).appUrl).toBe(address.replace(/\/$/, ''));
    },
  );

  it.each([
    'short',
    Buffer.alloc(31).toString('base64'),
    Buffer.alloc(33).toString('base64'),
    `${KEY},`,
    `${KEY} ${KEY}`,
  ])('rejects the token keys %j without including the keys in the message', keys => {
    const message = faultsOf({ TOKEN_KEYS: keys });
    expect(message).toContain('TOKEN_KEYS must be a comma-separated list of 32-byte keys in base64, newest first');
    expect(message).not.toContain(keys);
  });

  it('accepts several token keys, including base64url-encoded keys', () => {
    const other = Buffer.alloc(32, 0xfb);
    const config = readConfig({ ...good, TOKEN_KEYS: `${KEY},${other.toString('base64url')}` });
    expect(config.tokenKeys).toEqual([Buffer.alloc(32, 1), other]);
  });

  it('omits secrets from error messages', () => {
    expect(faultsOf({ SHOPIFY_API_SECRET: 'too short' })).toMatch(/SHOPIFY_API_SECRET is shorter/);
    expect(faultsOf({ SHOPIFY_API_SECRET: 'too short' })).not.toContain('too short');
    expect(faultsOf({ DATABASE_URL: 'mysql://user:password@host/db' })).toMatch(/DATABASE_URL must be a postgres/);
    expect(faultsOf({ DATABASE_URL: 'mysql://user:password@host/db' })).not.toContain('password@');
  });

  it('rejects settings that would be unsafe in a page or header', () => {
    expect(faultsOf({ SHOPIFY_API_KEY: '"><script>' })).toMatch(/SHOPIFY_API_KEY must be the client ID/);
    expect(faultsOf({ COMPLIANCE_CONTACT: 'call us' })).toMatch(/COMPLIANCE_CONTACT must be an HTTPS or mailto URL/);
  });

  it.each(['-1', '65536', 'eighty', '1.5'])('rejects the port %s', port => {
    expect(faultsOf({ PORT: port })).toMatch(/\n {2}PORT /);
  });

  it('turns billing on only if the app’s handle is set', () => {
    expect(readConfig(good).billing).toBeUndefined();
    const set = { SHOPIFY_APP_HANDLE: 'portfolio', FOUNDING_SHOPS: 'a.myshopify.com, b-2.myshopify.com' };
    expect(readConfig({ ...good, ...set }).billing).toEqual({
      ...{ appHandle: 'portfolio', foundingShops: ['a.myshopify.com', 'b-2.myshopify.com'] },
    });
    expect(faultsOf({ FOUNDING_SHOPS: 'a.myshopify.com' })).toContain('SHOPIFY_APP_HANDLE, which is not set');
    expect(faultsOf({ SHOPIFY_APP_HANDLE: 'https://apps.shopify.com/portfolio' })).toContain('SHOPIFY_APP_HANDLE must');
    expect(faultsOf({ ...set, FOUNDING_SHOPS: 'a.example' })).toContain(
      'FOUNDING_SHOPS must be a comma-separated list',
    );
  });

  it('requires both mail settings if either is set, and never shows the SMTP password', () => {
    const mail = { SMTP_URL: 'smtps://user:hunter2@smtp.example.com', ALERT_FROM: 'alerts@example.com' };
    expect(readConfig({ ...good, ...mail }).mail).toEqual({ smtpUrl: mail.SMTP_URL, from: mail.ALERT_FROM });
    expect(faultsOf({ SMTP_URL: mail.SMTP_URL })).toContain('ALERT_FROM is not set');
    expect(faultsOf({ ALERT_FROM: mail.ALERT_FROM })).toContain('SMTP_URL is not set');
    const message = faultsOf({ ...mail, SMTP_URL: 'https://user:hunter2@smtp.example.com' });
    expect(message).toContain('SMTP_URL must be the URL of an SMTP server');
    expect(message).not.toContain('hunter2');
  });

  it('requires a password for a signing key, and a signing key for timestamps', () => {
    const settings = { COMPLIANCE_SIGNING_KEY: 'key.p12', COMPLIANCE_SIGNING_PASSWORD: 'hunter2' };
    const timestampUrl = 'https://tsa.example/tsr';
    expect(readConfig({ ...good, ...settings, COMPLIANCE_TIMESTAMP: timestampUrl }).signing).toEqual({
      ...{ keyFile: 'key.p12', password: 'hunter2', timestampUrl },
    });
    expect(faultsOf({ COMPLIANCE_SIGNING_KEY: 'key.p12' })).toContain('COMPLIANCE_SIGNING_PASSWORD, which is not set');
    expect(faultsOf({ COMPLIANCE_TIMESTAMP: timestampUrl })).toContain('COMPLIANCE_SIGNING_KEY, which is not set');
  });

  it('requires all bucket settings if any of them is set', () => {
    const bucket = { S3_BUCKET: 'pdfs', S3_ENDPOINT: 'https://s3.example.com' };
    expect(() => readConfig({ ...good, ...bucket })).toThrow('variables too: S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY');
    const whole = { ...bucket, S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'key' };
    expect(readConfig({ ...good, ...whole }).s3).toMatchObject({ bucket: 'pdfs', region: 'us-east-1' });
  });
});

it('explains why a list of flagged codes can’t be used', async () => {
  const noList = join(import.meta.dirname, '../../package.json');
  await expect(readFlagFile(noList)).rejects.toThrow('COMPLIANCE_FLAGS must be a valid list of flagged codes');
  await expect(readFlagFile('/nowhere/flags.json')).rejects.toThrow(ConfigError);
});

it('explains why a list of accepted laboratories can’t be used', async () => {
  const noList = join(import.meta.dirname, '../../package.json');
  await expect(readLabFile(noList)).rejects.toThrow('COMPLIANCE_LABS must be a valid list of accepted laboratories');
  await expect(readLabFile('/nowhere/labs.json')).rejects.toThrow(ConfigError);
});

describe('settings in the README', () => {
  const read = (file: string) => readFileSync(join(import.meta.dirname, file), 'utf8');
  it('describes every setting in the README', () => {
    const names = [...read('config.ts').matchAll(/^ {2}([A-Z][A-Z0-9_]+):/gm)].map(([, name]) => name!);
    expect(names.length).toBeGreaterThan(10);
    const ofTheStore = ['S3_BUCKET', 'S3_ENDPOINT', 'S3_REGION', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'];
    for (const name of [...names, ...ofTheStore]) expect(read('../../README.md')).toContain(`\`${name}\``);
  });
});
