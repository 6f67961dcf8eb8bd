import { isContact } from '@compliance/crawler';
import { expect, it } from 'vitest';
import { contactOf } from './contact.ts';
import { Failure } from './failure.ts';

it('is what is set, or an address that leads nowhere', () => {
  expect(contactOf({ COMPLIANCE_CONTACT: 'mailto:scans@example.com' })).toBe('mailto:scans@example.com');
  for (const env of [{}, { COMPLIANCE_CONTACT: '' }]) {
    expect(contactOf(env)).toMatch(/\.invalid\/$/);
    expect(isContact(contactOf(env))).toBe(true);
  }
});

it('is refused at once when nobody can be reached by it, not when a site is scanned', () => {
  expect(() => contactOf({ COMPLIANCE_CONTACT: 'call us' })).toThrow(Failure);
});
