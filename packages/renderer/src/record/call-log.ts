import { withoutPersonalData } from '@compliance/core/pixel';

/** A position in a script, or in the HTML of a page, starting at line 1 and column 1. */
export interface CodePosition {
  readonly url: string;
  readonly line: number;
  readonly column: number;
  /** Name of the function, or an empty string. */
  readonly name: string;
}

/** A call to a vendor's queue function, or an entry in a data layer. Every string comes from the page. */
export interface ObservedCall {
  /** Name of the queue's variable, such as `fbq` or `dataLayer`. */
  readonly queue: string;
  /** First two arguments, if they're strings, such as `track` and `PageView`. For an object, its `event` property. */
  readonly command: string | null;
  readonly name: string | null;
  /** The event's string, number, and Boolean parameters, without personal data. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Whether the call was made in a frame. */
  readonly framed: boolean;
  /** Call stack, most recent call first. */
  readonly stack: readonly CodePosition[];
  /** Time since the call, in milliseconds. */
  readonly age: number;
}

const MAX_TEXT = 100;
const MAX_URL = 500;
const MAX_STACK = 20;
const MAX_PARAMETERS = 20;
const MAX_POSITION = 10_000_000;
/** Maximum total length of the calls recorded in a document, in characters. */
const MAX_RECORDED = 2_000_000;

/** Functions that queue calls until the vendor's library has loaded. */
const FUNCTIONS = ['fbq', 'pintrk', 'snaptr', 'twq', 'rdt', 'lintrk', 'ga'];
/**
 * Arrays that vendors' libraries read calls from. Some libraries replace the array with an object that has the same
 * methods.
 */
const LISTS = ['dataLayer', 'uetq', 'ttq', '_learnq', 'klaviyo'];
/** Methods of objects that replace a list or are created by a vendor's base code. */
const METHODS = ['push', 'track', 'page', 'trackViewedItem'];

/**
 * Names of two document events: {@link TAKE_CALLS} dispatches the first event to request the recorded calls, and the
 * log returns the calls in the second event.
 */
const TAKE_EVENT = 'complianceTakeCalls';
const CALLS_EVENT = 'complianceCalls';

/**
 * Expression that returns the calls that a document has made since the previous evaluation, for {@link readCalls}. It
 * also works in an isolated world, which shares only the document's DOM.
 */
export const TAKE_CALLS = `(() => {
  let calls = '';
  const receive = ({ detail }) => { calls = typeof detail === 'string' ? detail.slice(0, ${MAX_RECORDED}) : ''; };
  document.addEventListener('${CALLS_EVENT}', receive, { once: true });
  document.dispatchEvent(new Event('${TAKE_EVENT}'));
  document.removeEventListener('${CALLS_EVENT}', receive);
  return calls;
})()`;

/** Maximum number of calls per document. */
const MAX_CALLS = 500;

/**
 * Script that runs in the page and in each frame, and records the document's calls to vendors' queues. It runs before
 * the document's own scripts, and replaces each queue's variable with an accessor, so that the page's own code still
 * creates and uses the queue.
 */
export const CALL_LOG = `(() => {
  const { stringify } = JSON;
  let calls = [];
  document.addEventListener('${TAKE_EVENT}', () => {
    const detail = stringify(calls.map(({ at, ...call }) => ({ ...call, age: performance.now() - at })));
    calls = [];
    document.dispatchEvent(new CustomEvent('${CALLS_EVENT}', { detail }));
  });
  const framed = window !== window.top;
  let count = 0;
  const text = value => typeof value === 'string' ? value.slice(0, ${MAX_TEXT}) : null;
  const isData = value => typeof value === 'object' && value !== null && !Array.isArray(value);
  const parametersOf = data => {
    const parameters = {};
    if (isData(data))
      for (const name of Object.keys(data).slice(0, ${MAX_PARAMETERS}))
        if (['string', 'number', 'boolean'].includes(typeof data[name]))
          parameters[name.slice(0, ${MAX_TEXT})] = String(data[name]).slice(0, ${MAX_TEXT});
    return parameters;
  };
  const note = (queue, values) => {
    if (++count > ${MAX_CALLS}) return;
    try {
      const limit = Error.stackTraceLimit;
      Error.stackTraceLimit = 50;
      const { stack } = new Error();
      Error.stackTraceLimit = limit;
      const positions = [...String(stack).matchAll(/ at (?:(?:async )?(\\S[^(\\n]*) \\()?(https?:\\/\\/[^\\s)]+?):(\\d+):(\\d+)/g)].map(
        ([, name, url, line, column]) => ({ name: text(name) || '', url: url.slice(0, ${MAX_URL}), line: +line, column: +column }),
      );
      const [first, second] = values;
      const command = isData(first) ? text(first.event) : text(first);
      const parameters = parametersOf(isData(first) ? first : values.slice(1, 4).find(isData));
      const named = { queue, command, name: text(second), parameters, framed };
      calls.push({ ...named, stack: positions.slice(0, ${MAX_STACK}), at: performance.now() });
    } catch {}
  };
  const entryOf = entry =>
    Array.isArray(entry) || Object.prototype.toString.call(entry) === '[object Arguments]' ? [...entry] : [entry];
  const watchFunction = (name, value) =>
    typeof value === 'function'
      ? new Proxy(value, { apply(target, self, values) { note(name, values); return Reflect.apply(target, self, values); } })
      : value;
  const watchObject = (name, value) => {
    if (value === null || typeof value !== 'object' && typeof value !== 'function') return value;
    let depth = 0;
    const proxy = new Proxy(value, {
      get(target, key) {
        const member = Reflect.get(target, key);
        const own = Reflect.getOwnPropertyDescriptor(target, key);
        if (typeof member !== 'function' || !${JSON.stringify(METHODS)}.includes(key) || own && !own.configurable) return member;
        return function (...values) {
          depth += 1;
          try {
            // A method can internally call another method, such as push. Only the outer call counts.
            if (depth === 1) note(name, key === 'push' ? entryOf(values[0]) : [key, ...values]);
            return Reflect.apply(member, this === proxy ? target : this, values);
          } finally {
            depth -= 1;
          }
        };
      },
    });
    return proxy;
  };
  const watchList = (name, list) => {
    if (!Array.isArray(list)) return watchObject(name, list);
    let depth = 0;
    const watchPush = push =>
      function (...entries) {
        depth += 1;
        try {
          // A library's own push calls the previous push. Only the outer call counts.
          if (depth === 1) for (const entry of entries) note(name, entryOf(entry));
          return push.apply(this, entries);
        } finally {
          depth -= 1;
        }
      };
    let watched = watchPush(list.push);
    for (const entry of list) note(name, entryOf(entry));
    try {
      Object.defineProperty(list, 'push', {
        configurable: true,
        get: () => watched,
        set: value => { watched = watchPush(value); },
      });
    } catch {}
    return list;
  };
  for (const [names, watch] of [[${JSON.stringify(FUNCTIONS)}, watchFunction], [${JSON.stringify(LISTS)}, watchList]])
    for (const name of names) {
      let current;
      Object.defineProperty(window, name, {
        configurable: true,
        enumerable: true,
        get: () => current,
        set: value => { current = value === current ? value : watch(name, value); },
      });
    }
})();`;

/** Commands whose parameters describe the visitor or the pixel instead of an event. */
const NOT_EVENTS = new Set(['init', 'identify', 'account', 'set', 'load', 'userdata']);

/**
 * Parses the value of {@link TAKE_CALLS}. Omits invalid calls, because the page's own code can forge the value.
 *
 * @example readCalls('[{"queue":"fbq","command":"track","name":"PageView","parameters":{},"stack":[]}]')[0]?.name // 'PageView'
 */
export function readCalls(value: unknown): ObservedCall[] {
  const calls = typeof value === 'string' && value.length <= MAX_RECORDED ? parsed(value) : null;
  return (Array.isArray(calls) ? calls.slice(0, MAX_CALLS) : []).flatMap(call => {
    const { queue, command, name, parameters, framed, stack, age } = Object(call) as Partial<
      Record<keyof ObservedCall, unknown>
    >;
    if (typeof queue !== 'string' || ![...FUNCTIONS, ...LISTS].includes(queue)) return [];
    const called = text(command);
    return {
      ...{ queue, command: called, name: text(name), framed: framed === true },
      parameters: called !== null && NOT_EVENTS.has(called) ? {} : parametersOf(parameters),
      stack: (Array.isArray(stack) ? stack : []).slice(0, MAX_STACK).flatMap(positionOf),
      age: typeof age === 'number' && age >= 0 ? age : 0,
    };
  });
}

function parsed(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch {
    return null;
  }
}

const text = (value: unknown): string | null => (typeof value === 'string' ? value.slice(0, MAX_TEXT) : null);

function parametersOf(parameters: unknown): Record<string, string> {
  const fields = Object.entries(Object(parameters)).slice(0, MAX_PARAMETERS);
  return Object.fromEntries(
    fields.flatMap(([name, value]) => {
      const shown = typeof value === 'string' ? withoutPersonalData(name, value.slice(0, MAX_TEXT)) : null;
      return shown === null ? [] : [[name.slice(0, MAX_TEXT), shown]];
    }),
  );
}

function positionOf(position: unknown): CodePosition[] {
  const { url, line, column, name } = Object(position) as Partial<Record<keyof CodePosition, unknown>>;
  const isPosition = (value: unknown): value is number =>
    Number.isInteger(value) && (value as number) > 0 && (value as number) < MAX_POSITION;
  if (typeof url !== 'string' || !isPosition(line) || !isPosition(column)) return [];
  return [{ url: url.slice(0, MAX_URL), line, column, name: text(name) ?? '' }];
}
