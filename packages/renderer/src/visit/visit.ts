import { setTimeout as wait } from 'node:timers/promises';
import type {
  JourneyStep,
  Phase,
  PhaseRecord,
  QueueCall,
  RecordedBeacon,
  SkippedStep,
  VisitStep,
} from '@compliance/core/pixel';
import type { Handling, PausedRequest, Tab, TabHost } from '../browser/tab.ts';
import { type ConsentChoice, chooseConsent } from '../consent/choose-consent.ts';
import type { FencedBrowser } from '../fence/launch.ts';
import { createJourney } from '../journey/journey.ts';
import { CALL_LOG, readCalls, TAKE_CALLS } from '../record/call-log.ts';
import { createRecorder, type Recorder } from '../record/recorder.ts';
import type { RecordedRequest } from '../record/visit-requests.ts';
import type { PageSource } from './page-source.ts';

/** Plan for a visit with one consent choice. */
export interface VisitPlan {
  readonly browser: FencedBrowser;
  readonly tabs: TabHost;
  readonly source: PageSource;
  readonly choice: 'deny' | 'accept';
  readonly journey: readonly JourneyStep[];
  readonly screenshots: boolean;
  /** Time without browser events after which a page counts as quiet, in milliseconds. */
  readonly quietMs: number;
  /** Maximum time until a page is quiet, in milliseconds. */
  readonly settleMs: number;
  /** Called when the tab has loaded its first page. */
  readonly onPage: () => void;
}

/** A screenshot of a page at the end of a step. */
export interface StepScreenshot {
  readonly phase: Phase;
  readonly step: VisitStep;
  readonly png: Buffer;
}

/** A running visit. At any time, its fields and methods provide the data recorded so far. */
export interface Visit {
  /** Resolves when the visit is complete. Rejects with {@link BrowserGone} if the browser doesn't respond. */
  readonly done: Promise<void>;
  /** Resolves when the page has sent more requests than the limit allows. */
  readonly flooded: Promise<void>;
  readonly phases: readonly PhaseRecord[];
  readonly screenshots: readonly StepScreenshot[];
  /** Returns the number of page views. */
  views(): number;
  beacons(): RecordedBeacon[];
  calls(): QueueCall[];
  requests(): RecordedRequest[];
}

/** Thrown when the browser has exited or no longer responds. */
export class BrowserGone extends Error {}

/** Maximum number of cookies, and of storage entries, per step. */
const MAX_ENTRIES = 200;
const MAX_NAME = 100;
const MAX_URL = 2_048;

/** Transparent one-pixel GIF. */
const PIXEL = Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64');

/**
 * Starts a visit in a new tab, which has no cookies or storage from other visits: loads the page, makes the choice,
 * loads the page again, and takes the steps of the journey. The visit that declines tracking also records the page
 * before the choice.
 *
 * @example const visit = startVisit({ browser, tabs, source, choice: 'deny', … }); await visit.done; visit.beacons()
 */
export function startVisit(plan: VisitPlan): Visit {
  const recorder = createRecorder();
  const phases: PhaseRecord[] = [];
  const screenshots: StepScreenshot[] = [];
  return {
    ...{ phases, screenshots, flooded: recorder.flooded, beacons: recorder.beacons, calls: recorder.calls },
    ...{ views: recorder.views, requests: recorder.requests },
    done: run(plan, { recorder, phases, screenshots }),
  };
}

/** Recording of a visit. */
interface Recording {
  readonly recorder: Recorder;
  readonly phases: PhaseRecord[];
  readonly screenshots: StepScreenshot[];
}

async function run(plan: VisitPlan, recording: Recording): Promise<void> {
  const { choice, source } = plan;
  const { recorder, phases } = recording;
  let step: VisitStep = 'page';
  const tab = await openTab(plan, recorder, () => step);
  const settle = async (): Promise<boolean> => {
    const isQuiet = await settled(tab, recorder, plan);
    await tab.evaluate(SEND_COLLECTED).catch(() => {});
    await settled(tab, recorder, { ...plan, quietMs: COLLECTED_QUIET_MS });
    // Read the recorded calls now, because opening another page would discard them.
    for (const taken of await tab.evaluateInFrames(TAKE_CALLS)) recorder.addCalls(readCalls(taken));
    return isQuiet;
  };
  const open = async (url: string): Promise<boolean> => {
    const hasResponse = await tab.navigate(url);
    return (await settle()) && hasResponse;
  };
  const finish = async (phase: Phase, chosen: ConsentChoice | null, take: () => Promise<boolean>): Promise<void> => {
    phases.push(await finishStep(plan, recording, { tab, phase, step, chosen, take }));
  };
  try {
    if (choice === 'deny') {
      recorder.start('load', step);
      await finish('load', null, () => open(source.url));
    } else await open(source.url);
    plan.onPage();
    recorder.start(choice, step);
    const chosen = await chooseConsent(tab, choice);
    await settle();
    await finish(choice, chosen, () => open(source.url));
    // If no consent choice is made, both visits would take the same steps.
    if (choice === 'deny' && chosen.decision === 'none') return;
    const journey = createJourney({ tab, open, settle, source });
    for (step of plan.journey) {
      const prepared = await journey.prepare(step);
      if ('skipped' in prepared) phases.push(skippedStep(choice, step, chosen, prepared.skipped));
      else {
        recorder.start(choice, step);
        await finish(choice, chosen, prepared.take);
      }
    }
  } finally {
    await tab.close();
  }
}

async function openTab({ browser, tabs, source }: VisitPlan, recorder: Recorder, step: () => VisitStep): Promise<Tab> {
  const respond = (request: PausedRequest): Handling | Promise<Handling> => {
    const handling = source.respond(request, step());
    return handling instanceof Promise ? handling.then(decided => noted(request, decided)) : noted(request, handling);
  };
  const noted = ({ navigatesTab }: PausedRequest, handling: Handling): Handling => {
    if (navigatesTab && handling !== 'fail') recorder.view();
    return handling;
  };
  const handle = (request: PausedRequest): Handling | Promise<Handling> => {
    if (!/^https?:/.test(request.url)) return 'continue';
    if (!recorder.record(request)) return respond(request);
    const headers = {
      'access-control-allow-origin': request.headers.Origin ?? '*',
      'access-control-allow-credentials': 'true',
    };
    // Some libraries send an event again if its image fails to load.
    return request.type === 'Image'
      ? { status: 200, headers: { ...headers, 'content-type': 'image/gif' }, body: PIXEL }
      : { status: 204, headers };
  };
  return await tabs
    .open(browser, { handle, onEvent: recorder.observe }, CALL_LOG + (source.initScript ?? ''))
    .catch(error => Promise.reject(new BrowserGone(String(error))));
}

/**
 * Makes libraries send the events that they have batched. Google's library, for example, batches events for up to five
 * seconds, or until the visitor leaves the page.
 */
const SEND_COLLECTED = "for (const name of ['pagehide', 'pageshow']) dispatchEvent(new PageTransitionEvent(name))";

/** Time, in milliseconds, that must pass without browser events before all batched events count as sent. */
const COLLECTED_QUIET_MS = 100;

/** A step that has started. */
interface StartedStep {
  readonly tab: Tab;
  readonly phase: Phase;
  readonly step: VisitStep;
  readonly chosen: ConsentChoice | null;
  readonly take: () => Promise<boolean>;
}

/** Takes a step, and returns its record. */
async function finishStep(
  { browser, screenshots: withPictures }: VisitPlan,
  { recorder, screenshots }: Recording,
  { tab, phase, step, chosen, take }: StartedStep,
): Promise<PhaseRecord> {
  const isQuiet = await take();
  // Otherwise, a page that returns an error in only one phase would seem to have stopped sending events.
  const complete = isQuiet && recorder.hasPage();
  const requests = recorder.requestCount();
  recorder.stop();
  const png = withPictures ? await tab.screenshot() : null;
  if (png) screenshots.push({ phase, step, png });
  const { cookies } = await browser.cdp
    .send('Storage.getCookies', { browserContextId: tab.contextId })
    .catch(() => ({ cookies: [] }));
  const url = await tab.evaluate('location.href', 'isolated').catch(() => null);
  return {
    ...{ phase, step, url: typeof url === 'string' ? url.slice(0, MAX_URL) : null },
    ...{ decision: chosen?.decision ?? null, banner: chosen?.banner ?? null, skipped: null, complete, requests },
    cookies: cookies.slice(0, MAX_ENTRIES).map(({ name, domain }) => ({ name: name.slice(0, MAX_NAME), domain })),
    storage: await storageNames(tab),
  };
}

const skippedStep = (
  phase: Phase,
  step: VisitStep,
  { decision, banner }: ConsentChoice,
  skipped: SkippedStep,
): PhaseRecord => ({
  ...{ phase, step, url: null, decision, banner, skipped, complete: false, requests: 0, cookies: [], storage: [] },
});

async function storageNames(tab: Tab): Promise<string[]> {
  const names = await tab
    .evaluate('[...Object.keys(localStorage), ...Object.keys(sessionStorage)]', 'isolated')
    .catch(() => []);
  const known = Array.isArray(names) ? names.filter(name => typeof name === 'string') : [];
  return known.slice(0, MAX_ENTRIES).map(name => name.slice(0, MAX_NAME));
}

/**
 * Waits until the page has loaded and is quiet. Returns false if the page doesn't become quiet in time or doesn't
 * respond.
 */
async function settled(
  tab: Tab,
  recorder: Recorder,
  { quietMs, settleMs }: Pick<VisitPlan, 'quietMs' | 'settleMs'>,
): Promise<boolean> {
  recorder.touch();
  const end = performance.now() + settleMs;
  while (performance.now() < end) {
    await wait(50);
    if (recorder.quietMs() < quietMs) continue;
    // On a busy machine, a page can be silent because its code hasn't run yet. A page that doesn't respond is still
    // running code.
    const responds = await tab
      .evaluate('new Promise(done => setTimeout(() => done(true), 0))', 'isolated')
      .catch(() => false);
    if (responds !== true) return false;
    if (recorder.quietMs() >= quietMs) return true;
  }
  return false;
}
