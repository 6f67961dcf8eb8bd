import { expect, it } from 'vitest';
import { isContact } from './contact.ts';

it.each(['https://scanner.example/about', 'https://scanner.example', 'mailto:scans@example.com'])(
  'accepts %s as a contact',
  text => {
    expect(isContact(text)).toBe(true);
  },
);

it.each([
  ...['', 'call us', 'scanner.example', 'http://scanner.example', 'javascript:1', 'https://', 'mailto:'],
  ...['https://scanner.example/a b', 'https://scanner.example/\r\nEvil: 1', ' https://scanner.example', 'mailto:é@x'],
])('rejects %j as a contact', text => {
  expect(isContact(text)).toBe(false);
});
