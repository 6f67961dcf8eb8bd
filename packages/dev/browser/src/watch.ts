import type { BrowserContext } from 'playwright-core';

/**
 * Records unexpected page activity: requests to another origin and console messages. Entries are added to the returned
 * list as the activity occurs. Clear the list between tests with `length = 0`.
 *
 * @example
 * const strange = watch(context, 'http://127.0.0.1:8787');
 * expect(strange).toEqual([]);
 */
export function watch(context: BrowserContext, base: string): string[] {
  const strange: string[] = [];
  context.on('request', request => {
    if (!request.url().startsWith(base) && !request.url().startsWith('data:')) strange.push(request.url());
  });
  context.on('console', message => strange.push(message.text()));
  return strange;
}
