import { beforeEach, describe, expect, it } from 'vitest';
import { createResilientFetch } from './resilient-fetch.ts';

const DATA = 'https://app.example/app/catalog?_data=routes%2Fapp.catalog._index';

let online: boolean;
let answers: (() => Response)[];
let sent: string[];
let languages: (string | null)[];
let events: EventTarget;
beforeEach(() => {
  [online, answers, sent, languages, events] = [true, [], [], [], new EventTarget()];
});

const start = () =>
  createResilientFetch(
    async (input, init) => {
      const request = new Request(input, init);
      sent.push(`${request.method} ${await request.text()}`.trim());
      languages.push(request.headers.get('Accept-Language'));
      return answers.shift()!();
    },
    { origin: 'https://app.example', events, isOnline: () => online, language: 'de' },
  );
const status = (code: number) => () => new Response(null, { status: code });
const lost = () => {
  throw new TypeError('Failed to fetch');
};
const post = { method: 'POST', body: 'code=7318' };

describe('a request to the app', () => {
  it.each([
    ['an expired session', status(401), 'session'],
    ['a server error', status(500), 'unavailable'],
    ['a missing response', lost, 'unavailable'],
  ] as const)(
    'holds a request after %s and sends it again unchanged when the merchant retries',
    async (_, failure, problem) => {
      const { fetch, connection } = start();
      answers.push(failure, failure, status(200));
      const response = fetch(DATA, post);
      for (const attempt of [1, 2]) {
        await expect.poll(() => sent.length).toBe(attempt);
        await expect.poll(connection.problem).toBe(problem);
        connection.retry();
      }
      expect((await response).status).toBe(200);
      expect(sent).toEqual(['POST code=7318', 'POST code=7318', 'POST code=7318']);
      expect(connection.problem()).toBeNull();
    },
  );

  it('sends the document’s language only with requests to the app', async () => {
    const { fetch } = start();
    answers.push(status(200), status(200));
    await fetch(DATA, post);
    await fetch('https://elsewhere.example/', post);
    expect(languages).toEqual(['de', null]);
  });

  it('sends a request again as soon as the browser is back online', async () => {
    const { fetch, connection } = start();
    online = false;
    answers.push(lost, status(200));
    const response = fetch(DATA, post);
    await expect.poll(connection.problem).toBe('offline');
    await expect.poll(() => sent.length).toBe(1);
    online = true;
    events.dispatchEvent(new Event('online'));
    expect((await response).status).toBe(200);
  });

  it('sends a request again if the browser reconnects before the request fails', async () => {
    const { fetch } = start();
    answers.push(() => {
      events.dispatchEvent(new Event('online'));
      return lost();
    }, status(200));
    expect((await fetch(DATA, post)).status).toBe(200);
    expect(sent).toEqual(['POST code=7318', 'POST code=7318']);
  });

  it('aborts a waiting request when the merchant leaves the page', async () => {
    const { fetch, connection } = start();
    answers.push(status(401));
    const leaving = new AbortController();
    const response = fetch(DATA, { signal: leaving.signal });
    await expect.poll(connection.problem).toBe('session');
    leaving.abort();
    await expect(response).rejects.toThrow('aborted');
    expect(connection.problem()).toBeNull();
  });

  it('returns an error response immediately if a page doesn’t exist or can’t be rendered', async () => {
    const { fetch } = start();
    answers.push(status(404), status(500));
    expect((await fetch(DATA)).status).toBe(404);
    expect((await fetch(DATA)).status).toBe(500);
  });
});

describe('the connection', () => {
  it('doesn’t hold requests to other sites or requests that the router didn’t send', async () => {
    const { fetch } = start();
    for (const url of ['https://cdn.shopify.com/?_data=x', 'https://app.example/app/settings-erase']) {
      answers.push(status(401));
      expect((await fetch(url, post)).status).toBe(401);
    }
  });

  it('notifies listeners when the browser goes offline', () => {
    const { connection } = start();
    const seen: (string | null)[] = [];
    const unsubscribe = connection.subscribe(() => seen.push(connection.problem()));
    online = false;
    events.dispatchEvent(new Event('offline'));
    unsubscribe();
    online = true;
    events.dispatchEvent(new Event('online'));
    expect(seen).toEqual(['offline']);
  });
});
