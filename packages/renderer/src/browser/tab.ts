import type { Protocol } from 'devtools-protocol';
import type { BrowserEvent, CdpConnection } from './cdp.ts';
import { REMOVE_INTERFACES } from './removed-interfaces.ts';

/** Response that this process sends instead of letting the request continue to the proxy. */
interface LocalResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** Decision about a request: let it continue to the proxy, make it fail, or send a local response. */
export type Handling = 'continue' | 'fail' | LocalResponse;

/** A request that's waiting for a decision. */
export interface PausedRequest {
  readonly url: string;
  readonly method: string;
  readonly body: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly type: Protocol.Network.ResourceType;
  /** The request's ID in network events, or null if the browser doesn't send network events for the request. */
  readonly networkId: string | null;
  /** Whether the request loads a new document in the tab itself, not in a frame. */
  readonly navigatesTab: boolean;
}

/** Functions that are called while a tab is open. They must not throw or reject. */
interface TabObserver {
  /** Decides what happens to a request. Interception can miss requests, so only the fence contains the page. */
  handle(request: PausedRequest): Handling | Promise<Handling>;
  /** Receives events from the tab, its frames, and its workers. */
  onEvent?(event: BrowserEvent, target: Protocol.Target.TargetInfo): void;
}

/** A tab with its own cookies and storage. */
export interface Tab {
  readonly contextId: string;
  /**
   * Starts loading a page. Returns whether the browser got a response. The page might still be loading.
   */
  navigate(url: string): Promise<boolean>;
  /**
   * Evaluates an expression in the page, and returns its JSON-compatible value. Rejects if the page doesn't respond
   * within two seconds.
   *
   * @param world `page` to share the page's variables, or `isolated` to share only its DOM, so that the page can't
   * replace built-in functions that the expression uses
   */
  evaluate(expression: string, world?: 'page' | 'isolated'): Promise<unknown>;
  /**
   * Evaluates an expression in the page and in its frames, in isolated worlds that share only the documents' DOM.
   * Omits frames that don't respond, and frames after the first 30.
   */
  evaluateInFrames(expression: string): Promise<unknown[]>;
  /** Returns a PNG screenshot of the visible part of the page, or null if the page isn't drawn in time. */
  screenshot(): Promise<Buffer | null>;
  close(): Promise<void>;
}

/** Passes the browser's events to its open tabs. */
export interface TabHost {
  /**
   * Opens a tab with its own cookies and storage.
   *
   * @param initScript script that runs in each document before the page's own scripts
   * @throws Error if the browser doesn't respond
   */
  open(browser: { readonly cdp: CdpConnection }, observer: TabObserver, initScript?: string): Promise<Tab>;
  /** Receives an event from the browser. */
  receive(event: BrowserEvent): void;
}

/**
 * Maximum number of targets that a tab is attached to at a time. Additional targets stay paused until they're closed.
 */
const MAX_TARGETS = 200;
const MAX_FRAMES = 30;
const EVALUATE_MS = 2_000;
const SCREENSHOT_MS = 6_000;
const ATTACH_MS = 10_000;
const NAVIGATE_MS = 10_000;
const MAX_BODY = 64 * 1024;

/** Types of targets that are allowed to run. All others stay paused until they're closed. */
const FOLLOWED = new Set(['page', 'iframe', 'worker']);

/**
 * Creates a host for the tabs of one browser. Frames and workers are paused until the tab has attached to them, so that
 * their requests can be intercepted. However, a worker in a new process can send requests before the tab has attached
 * to it. Popups, service workers, and shared workers never run: they stay paused and are closed.
 *
 * @example
 * const tabs = createTabHost();
 * const browser = await launchFenced({ …, onEvent: tabs.receive });
 * const tab = await tabs.open(browser, { handle: () => 'continue' });
 */
export function createTabHost(): TabHost {
  const owners = new Map<string, (event: BrowserEvent) => void>();
  /** Tabs by browser context. A popup belongs to its opener's context. */
  const contexts = new Map<string, (event: BrowserEvent) => void>();

  return {
    receive(event) {
      if (event.method === 'Target.attachedToTarget') {
        const owner = owners.get(event.sessionId ?? '') ?? contexts.get(event.params.targetInfo.browserContextId ?? '');
        return owner?.(event);
      }
      return owners.get(event.sessionId ?? '')?.(event);
    },

    async open({ cdp }, observer, initScript = '') {
      const source = REMOVE_INTERFACES + initScript;
      const targets = new Map<string, Protocol.Target.TargetInfo>();
      const ignore = (work: Promise<unknown>): void => void work.catch(() => {});
      let own: string | undefined;
      let attached = (_sessionId: string): void => {};
      const sessionOfTab = new Promise<string>(resolve => {
        attached = resolve;
      });
      /** Targets that were attached before the tab's own ID was known. */
      const early: Protocol.Target.AttachedToTargetEvent[] = [];

      const attach = async ({ sessionId, targetInfo }: Protocol.Target.AttachedToTargetEvent): Promise<void> => {
        const isOwn = targetInfo.targetId === own;
        const isFollowed = FOLLOWED.has(targetInfo.type) && (targetInfo.type !== 'page' || isOwn);
        if (!isFollowed || targets.size >= MAX_TARGETS) {
          ignore(cdp.send('Target.closeTarget', { targetId: targetInfo.targetId }));
          return;
        }
        targets.set(sessionId, targetInfo);
        owners.set(sessionId, receive);
        const isDocument = targetInfo.type !== 'worker';
        ignore(cdp.send('Network.enable', { maxPostDataSize: MAX_BODY }, sessionId));
        ignore(cdp.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] }, sessionId));
        if (isDocument) {
          ignore(cdp.send('Page.enable', {}, sessionId));
          ignore(cdp.send('Page.addScriptToEvaluateOnNewDocument', { source }, sessionId));
        }
        ignore(cdp.send('Target.setAutoAttach', AUTO_ATTACH, sessionId));
        await cdp.send('Runtime.runIfWaitingForDebugger', undefined as never, sessionId).catch(() => {});
        if (isOwn) attached(sessionId);
      };

      const receive = (event: BrowserEvent): void => {
        const { sessionId = '' } = event;
        if (event.method === 'Target.attachedToTarget') {
          if (own === undefined) early.push(event.params);
          else void attach(event.params);
          return;
        }
        if (event.method === 'Target.detachedFromTarget') {
          targets.delete(event.params.sessionId);
          owners.delete(event.params.sessionId);
          return;
        }
        if (event.method === 'Page.javascriptDialogOpening') {
          ignore(cdp.send('Page.handleJavaScriptDialog', { accept: event.params.type === 'beforeunload' }, sessionId));
          return;
        }
        if (event.method === 'Fetch.requestPaused') {
          const { requestId } = event.params;
          const handling = observer.handle(pausedRequest(event.params, targets.get(sessionId), own));
          if (handling instanceof Promise) ignore(handling.then(decided => resume(requestId, decided, sessionId)));
          else ignore(resume(requestId, handling, sessionId));
        }
        const target = targets.get(sessionId);
        if (target) observer.onEvent?.(event, target);
      };

      const resume = (requestId: string, handling: Handling, sessionId: string): Promise<unknown> => {
        if (handling === 'continue') return cdp.send('Fetch.continueRequest', { requestId }, sessionId);
        if (handling === 'fail')
          return cdp.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' }, sessionId);
        const { status, headers = {}, body = '' } = handling;
        const responseHeaders = Object.entries(headers).map(([name, value]) => ({ name, value }));
        const text = Buffer.from(body as string).toString('base64');
        return cdp.send(
          'Fetch.fulfillRequest',
          { requestId, responseCode: status, responseHeaders, body: text },
          sessionId,
        );
      };

      const { browserContextId } = await cdp.send('Target.createBrowserContext', { disposeOnDetach: true });
      contexts.set(browserContextId, receive);
      await cdp.send('Browser.setDownloadBehavior', { behavior: 'deny', browserContextId });
      // Auto-attach applies to every tab that opens, including popups.
      await cdp.send('Target.setAutoAttach', AUTO_ATTACH);
      const { targetId } = await cdp.send('Target.createTarget', { url: 'about:blank', browserContextId });
      own = targetId;
      for (const event of early) void attach(event);
      const sessionId = await inTime(sessionOfTab, ATTACH_MS);

      return {
        contextId: browserContextId,
        async navigate(url) {
          const navigation = inTime(cdp.send('Page.navigate', { url }, sessionId), NAVIGATE_MS);
          return await navigation.then(({ errorText }) => errorText === undefined).catch(() => false);
        },
        async evaluate(expression, world = 'page') {
          const run = async () => {
            // For calls in the same document, the browser always returns the same isolated world.
            const context =
              world === 'isolated'
                ? await cdp.send('Page.createIsolatedWorld', { frameId: targetId, worldName: 'compliance' }, sessionId)
                : null;
            return await cdp.send(
              'Runtime.evaluate',
              {
                ...{ expression, returnByValue: true, awaitPromise: true, timeout: EVALUATE_MS },
                ...(context && { contextId: context.executionContextId }),
              },
              sessionId,
            );
          };
          const { result, exceptionDetails } = await inTime(run(), EVALUATE_MS);
          if (exceptionDetails) throw new Error(`The page threw an error: ${exceptionDetails.text.slice(0, 200)}`);
          return result.value;
        },
        async evaluateInFrames(expression) {
          const documents = [...targets].filter(([, { type }]) => type !== 'worker').slice(0, MAX_FRAMES);
          const trees = documents.map(async ([session]) => {
            const { frameTree } = await cdp.send('Page.getFrameTree', undefined as never, session);
            return framesIn(frameTree).map(frameId => ({ frameId, session }));
          });
          const found = await inTime(Promise.allSettled(trees), EVALUATE_MS).catch(() => []);
          const frames = found.flatMap(each => (each.status === 'fulfilled' ? each.value : [])).slice(0, MAX_FRAMES);
          const evaluate = async ({ frameId, session }: (typeof frames)[number]): Promise<unknown> => {
            const world = { frameId, worldName: 'compliance' };
            const { executionContextId: contextId } = await cdp.send('Page.createIsolatedWorld', world, session);
            const options = { expression, contextId, returnByValue: true, timeout: EVALUATE_MS };
            return (await cdp.send('Runtime.evaluate', options, session)).result.value;
          };
          const values = frames.map(frame => inTime(evaluate(frame), EVALUATE_MS));
          return (await Promise.allSettled(values)).flatMap(each => (each.status === 'fulfilled' ? [each.value] : []));
        },
        async screenshot() {
          const picture = inTime(cdp.send('Page.captureScreenshot', { format: 'png' }, sessionId), SCREENSHOT_MS);
          return await picture.then(({ data }) => Buffer.from(data, 'base64')).catch(() => null);
        },
        async close() {
          contexts.delete(browserContextId);
          for (const session of targets.keys()) owners.delete(session);
          await inTime(cdp.send('Target.disposeBrowserContext', { browserContextId }), EVALUATE_MS).catch(() => {});
        },
      };
    },
  };
}

/** Returns the IDs of the frames in a tree. A session's tree contains only frames in the session's process. */
const framesIn = ({ frame, childFrames = [] }: Protocol.Page.FrameTree): string[] => [
  frame.id,
  ...childFrames.flatMap(framesIn),
];

const AUTO_ATTACH = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true } as const;

function pausedRequest(
  { request, resourceType, networkId, frameId }: Protocol.Fetch.RequestPausedEvent,
  target: Protocol.Target.TargetInfo | undefined,
  tabId: string | undefined,
): PausedRequest {
  const { url, method, headers } = request;
  return {
    ...{ url, method, headers, type: resourceType, networkId: networkId ?? null },
    body: bodyOf(request),
    // A tab's ID is also the ID of its top frame.
    navigatesTab: resourceType === 'Document' && target?.type === 'page' && frameId === tabId,
  };
}

/** Returns the beginning of a request's body, or null if the browser doesn't report a body. */
export function bodyOf({ postDataEntries = [] }: Protocol.Network.Request): string | null {
  const parts = postDataEntries.flatMap(({ bytes }) => (bytes === undefined ? [] : Buffer.from(bytes, 'base64')));
  return parts.length === 0 ? null : Buffer.concat(parts).subarray(0, MAX_BODY).toString('utf8');
}

/** Returns the result of `work`, or rejects after `ms` milliseconds, because a page can block a command. */
async function inTime<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("The page didn't respond in time.")), ms);
  });
  work.catch(() => {});
  return await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
