import type { FrameLocator, Locator, Page } from 'playwright-core';

/**
 * Performance data for a document: first paint, LCP, layout shifts, and the delay from each event to the next paint.
 * Times are in milliseconds.
 */
export interface VitalsRecord {
  /** Time of the first paint, or null if the document hasn't painted yet. */
  readonly painted: number | null;
  readonly lcp: number;
  readonly shifts: readonly { readonly at: number; readonly value: number }[];
  readonly events: readonly TimedEvent[];
}

/** An input event, such as `keydown` on `input`. */
export interface TimedEvent {
  readonly ms: number;
  readonly name: string;
}

/** Records performance entries in `globalThis.seen`. Runs in each document before the document's own scripts. */
export function observeVitals(): void {
  const seen = {
    painted: null as number | null,
    lcp: 0,
    shifts: [] as VitalsRecord['shifts'][number][],
    events: [] as VitalsRecord['events'][number][],
  };
  Object.assign(globalThis, { seen });
  const observe = <Entry extends PerformanceEntry>(type: string, each: (entry: Entry) => void, more = {}) =>
    new PerformanceObserver(list => {
      for (const entry of list.getEntries()) each(entry as Entry);
    }).observe({ type, buffered: true, ...more });
  observe('paint', ({ startTime }) => {
    seen.painted ??= startTime;
  });
  observe('largest-contentful-paint', ({ startTime }) => {
    seen.lcp = startTime;
  });
  // A layout shift shortly after user input doesn't count. The `hadRecentInput` flag doesn't reflect input in another
  // frame of the same process, so these listeners record each input.
  let lastInput = Number.NEGATIVE_INFINITY;
  for (const type of ['pointerdown', 'keydown']) {
    addEventListener(type, ({ timeStamp }) => (lastInput = timeStamp), { capture: true });
  }
  observe<PerformanceEntry & { value: number; hadRecentInput: boolean }>('layout-shift', shift => {
    if (shift.hadRecentInput || shift.startTime - lastInput <= 500) return;
    seen.shifts.push({ at: shift.startTime, value: shift.value });
  });
  // The browser doesn't report events shorter than 16 ms.
  observe<PerformanceEventTiming>(
    'event',
    ({ name, duration, target }) =>
      seen.events.push({
        ms: duration,
        name: `${name} on ${(target as Element | null)?.localName ?? 'a removed element'}`,
      }),
    { durationThreshold: 16 },
  );
}

/** Element to click after the first paint, and a typical interaction to perform afterward. */
interface Screen {
  readonly first: (frame: FrameLocator) => Locator;
  readonly use: (frame: FrameLocator, page: Page) => Promise<void>;
}

/** Time, in milliseconds, to wait after a click for the router to show another page. */
const THEN_MS = 700;

async function press(page: Page, what: Locator): Promise<void> {
  // Force the click, because Polaris covers the actual checkbox with a styled element.
  await what.hover({ force: true });
  await page.mouse.down();
  await page.mouse.up();
  await page.waitForTimeout(THEN_MS);
}

async function type(page: Page, field: Locator, text: string): Promise<void> {
  await press(page, field);
  for (const letter of text) await page.keyboard.press(letter === ' ' ? 'Space' : letter);
  await page.waitForTimeout(THEN_MS);
}

async function choose(page: Page, select: Locator): Promise<void> {
  await select.focus();
  await page.keyboard.press('ArrowDown');
  await page.waitForTimeout(2 * THEN_MS);
}

const title = (frame: FrameLocator) => frame.getByRole('heading', { level: 1 });
const firstOfList = (frame: FrameLocator) => frame.locator('li').first().getByRole('link').first();

/** Screens to measure, by page name. */
export const SCREENS: Readonly<Record<string, Screen>> = {
  Home: {
    first: frame => frame.getByText('Needs attention', { exact: true }),
    async use(frame, page) {
      await press(page, frame.getByRole('button', { name: 'Scan now' }));
      await page.waitForTimeout(2_500);
      await press(page, frame.getByRole('link', { name: /consent|visitor|pixel|analytics/i }).first());
    },
  },
  Findings: {
    first: frame => frame.getByRole('checkbox').first(),
    async use(frame, page) {
      await press(page, frame.getByRole('checkbox').nth(3));
      await press(page, frame.getByRole('checkbox').nth(4));
      await type(page, frame.getByLabel('Reason', { exact: true }), 'It is so');
      await choose(page, frame.getByLabel('Severity'));
      await press(page, frame.getByRole('link', { name: 'Next' }));
      await press(page, firstOfList(frame));
    },
  },
  Finding: {
    first: title,
    async use(frame, page) {
      await type(page, frame.getByLabel('Reason', { exact: true }), 'It is so');
      await press(page, frame.getByRole('link', { name: 'Findings' }));
    },
  },
  History: {
    first: title,
    async use(frame, page) {
      await press(page, frame.getByRole('link', { name: /Older|Next/ }));
      await press(page, firstOfList(frame));
    },
  },
  Scan: {
    first: title,
    use: async (frame, page) => await choose(page, frame.getByRole('combobox')),
  },
  Catalog: {
    first: frame => frame.getByLabel('Search by product, SKU, or code'),
    async use(frame, page) {
      await type(page, frame.getByLabel('Search by product, SKU, or code'), 'bolt');
      await page.keyboard.press('Enter');
      await page.waitForTimeout(2 * THEN_MS);
      await choose(page, frame.getByRole('combobox').first());
      await press(page, frame.getByRole('link', { name: 'Next' }));
      await press(page, firstOfList(frame));
    },
  },
  'Catalog, bulk edit': {
    first: title,
    use: async (frame, page) => await type(page, frame.getByRole('textbox').first(), '7318'),
  },
  Variant: {
    first: title,
    async use(frame, page) {
      await type(page, frame.getByRole('textbox').first(), '7318');
      await type(page, frame.locator('form').getByRole('combobox'), 'TW');
    },
  },
  Import: {
    first: title,
    use: async (frame, page) => await press(page, frame.getByRole('link', { name: 'Catalog' })),
  },
  Certificates: {
    first: frame => frame.getByLabel('Search products'),
    async use(frame, page) {
      await type(page, frame.getByLabel('Search products'), 'bolt');
      await page.keyboard.press('Enter');
      await page.waitForTimeout(2 * THEN_MS);
      await press(page, frame.getByRole('link', { name: /issued/i }).first());
      await press(page, firstOfList(frame));
    },
  },
  'Certificates, bulk drafts': {
    first: title,
    async use(frame, page) {
      await press(page, frame.getByRole('button', { name: /profile/i }).first());
      await type(page, frame.getByRole('textbox').first(), 'Acme');
    },
  },
  'Certificate, draft': {
    first: title,
    async use(frame, page) {
      await type(page, frame.getByLabel('Name', { exact: true }).first(), 'abc');
      await page.waitForTimeout(THEN_MS);
      await type(page, frame.getByLabel('Search rules'), 'helmet');
      await press(page, frame.getByRole('button', { name: /^Cite / }).first());
      await press(page, frame.getByRole('button', { name: /^Remove 16/ }).first());
      await press(page, frame.locator('summary').first());
      await press(page, frame.getByRole('button', { name: /^Add/ }).first());
      await press(page, frame.getByLabel('I attest to this statement'));
      await type(page, frame.getByLabel('Your name'), 'Ada');
    },
  },
  'Certificate, issued': {
    first: title,
    async use(frame, page) {
      await press(page, frame.locator('summary').last());
      await type(page, frame.getByRole('textbox'), 'Wrong');
    },
  },
  Settings: {
    first: title,
    async use(frame, page) {
      await choose(page, frame.getByRole('combobox').first());
      await press(page, frame.getByRole('button', { name: /^Undo/ }).first());
      await type(page, frame.getByRole('textbox').last(), 'big');
    },
  },
};
