import { isContact } from '@compliance/crawler';
import { expect, it } from 'vitest';
import { CliError } from './cli-error.ts';
import { contactOf } from './contact.ts';

it('returns COMPLIANCE_CONTACT, or a URL in the .invalid domain if COMPLIANCE_CONTACT is not set', () => {
  expect(contactOf({ COMPLIANCE_CONTACT: 'mailto:scans@example.com' })).toBe('mailto:scans@example.com');
  for (const env of [{}, { COMPLIANCE_CONTACT: '' }]) {
    expect(contactOf(env)).toMatch(/\.invalid\/$/);
    expect(isContact(contactOf(env))).toBe(true);
  }
});

it('rejects a contact that is not an HTTPS or mailto URL', () => {
  expect(() => contactOf({ COMPLIANCE_CONTACT: 'call us' })).toThrow(CliError);
});
