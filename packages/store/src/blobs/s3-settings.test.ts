import { describe, expect, it } from 'vitest';
import { StoreError } from '../errors.ts';
import { readS3Settings } from './s3-settings.ts';

const WHOLE = {
  S3_BUCKET: 'pdfs',
  S3_ENDPOINT: 'https://s3.example.com',
  S3_REGION: 'auto',
  S3_ACCESS_KEY_ID: 'AKIDOFTHETESTS',
  S3_SECRET_ACCESS_KEY: 'only/for+tests',
};

const refusalOf = (change: Record<string, string | undefined>): string => {
  try {
    readS3Settings({ ...WHOLE, ...change });
  } catch (error) {
    expect(error).toBeInstanceOf(StoreError);
    expect(error).toHaveProperty('code', 'config_invalid');
    return (error as Error).message;
  }
  return '';
};

describe('the settings of a bucket', () => {
  it('are read as the store takes them, without the spaces around them', () => {
    const spaced = Object.fromEntries(Object.entries(WHOLE).map(([name, value]) => [name, ` ${value}\n`]));
    for (const env of [WHOLE, spaced]) {
      expect(readS3Settings(env)).toEqual({
        bucket: 'pdfs',
        endpoint: 'https://s3.example.com',
        region: 'auto',
        accessKeyId: 'AKIDOFTHETESTS',
        secretAccessKey: 'only/for+tests',
      });
    }
  });

  it.each([undefined, '', ' '])('are none when the bucket is %j, whatever else is set', bucket => {
    expect(readS3Settings({ ...WHOLE, S3_BUCKET: bucket })).toBeUndefined();
    expect(readS3Settings({ S3_BUCKET: bucket })).toBeUndefined();
  });

  it.each([undefined, ''])('are of us-east-1 when the region is %j', region => {
    expect(readS3Settings({ ...WHOLE, S3_REGION: region })).toHaveProperty('region', 'us-east-1');
  });

  it('are all named that are missing', () => {
    expect(refusalOf({ S3_ENDPOINT: undefined, S3_SECRET_ACCESS_KEY: '' })).toBe(
      'With S3_BUCKET, set S3_ENDPOINT, S3_SECRET_ACCESS_KEY too.',
    );
    expect(refusalOf({ S3_ACCESS_KEY_ID: ' ' })).toBe('With S3_BUCKET, set S3_ACCESS_KEY_ID too.');
  });

  it.each([
    ['S3_ENDPOINT', 'https://me:s3cret@s3.example.com'],
    ['S3_ENDPOINT', 's3cret.example.com'],
    ['S3_BUCKET', 'A s3cret'],
    ['S3_REGION', 'a s3cret'],
    ['S3_ACCESS_KEY_ID', 'a s3cret'],
    ['S3_SECRET_ACCESS_KEY', 'a s3cret'],
  ])('are refused by the name that they were set by, and not repeated: %s', (name, value) => {
    const message = refusalOf({ [name]: value });
    expect(message).toMatch(new RegExp(`^${name} must be `));
    expect(message).not.toContain('s3cret');
  });
});
