import { expect, it } from 'vitest';
import { formatMessage, type ReportedMessage, term } from './message.ts';

const messages = { repeated: '{id} is configured {count} times.', missing: 'The page has no tag.' } as const;

it('inserts each value once, without interpreting braces or replacement patterns in the value', () => {
  const values = { id: '{count} $& <b>', count: 2 };
  expect(formatMessage(messages.repeated, values)).toBe('{count} $& <b> is configured 2 times.');
  expect(formatMessage(messages.repeated, { id: 'a' })).toBe('a is configured {count} times.');
});

it('joins lists, and inserts terms with their own values', () => {
  const events = [term('more_events', { count: 4 }), 'PageView'];
  expect(formatMessage('{events}', { events })).toBe('4 more events, PageView');
  expect(formatMessage('{events}', { events: { and: events } })).toBe('4 more events and PageView');
});

it('lets a rule report only its own messages, with a value for every parameter (checked by TypeScript)', () => {
  const reported: ReportedMessage<typeof messages>[] = [
    { message: 'repeated', values: { id: 'G-1', count: 2 } },
    { message: 'missing' },
    // @ts-expect-error: the message doesn't exist.
    { message: 'unknown' },
    // @ts-expect-error: a value is missing.
    { message: 'repeated', values: { id: 'G-1' } },
    // @ts-expect-error: the message has no parameters.
    { message: 'missing', values: { id: 'G-1' } },
  ];
  expect(reported).toHaveLength(5);
});
