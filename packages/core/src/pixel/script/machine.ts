import type { ESTree } from 'meriyah';
import type { Arm, Confidence, Effect, Site, State } from './effect.ts';
import { choice, type FunctionValue, type Scope, UNDEFINED, type Value } from './value.ts';

/** Where reading stands: which script and function, and under which circumstances. */
export interface Frame {
  readonly script: number;
  readonly scope: Scope;
  readonly self: Value;
  readonly args: Value;
  state: State;
  confidence: Confidence;
  arms: readonly Arm[];
  guards: readonly string[];
  inside: readonly string[];
  /** The call that led here, when a function passes its arguments on. */
  readonly call: { readonly script: number; readonly offset: number } | null;
  readonly returns: Value[];
}

interface Write {
  readonly names: Map<string, Value>;
  readonly name: string;
  readonly before: Value | undefined;
}

/** A name that arms of a condition wrote: what it was before them, and after each that wrote it, of which `arm` is the last. */
interface Touched {
  arm: number;
  was: Value | undefined;
  readonly after: Value[];
}

/** What an effect says, before the site is added. */
type Bare<E> = E extends Effect ? Omit<E, keyof Site> : never;

// Names that stay themselves whatever a page assigns to them: the queue a snippet builds under `fbq` is still `fbq`.
const STICKY = new Set(
  (
    'fbq _fbq _fbds gtag ga _gaq _gat dataLayer ttq pintrk twq rdt snaptr uetq _learnq klaviyo clarity hj trekkie Shopify ' +
    'ShopifyAnalytics document navigator location urchinTracker _uacct Cookiebot OneTrust Didomi console'
  ).split(' '),
);
/** Queues whose stub defines methods of its own, such as `trekkie.load = function …`; a call of one stays a call of that name. */
const STUBS = new Set(['trekkie', 'ttq', 'fbq', 'ga', 'gtag', 'pintrk', 'twq', 'rdt', 'snaptr', 'uetq']);
const WINDOWS = new Set(['window', 'self', 'globalThis', 'top', 'parent', 'frames']);
const MAX_DEPTH = 220;
const MAX_PATH = 120;
const MAX_EFFECTS = 200_000;
/** Steps of repeated reading every script may take; a long one may take more, in proportion. */
const REPEATS = 20_000;

/**
 * Reads scripts as a browser would meet them, one after the other over one window, without running anything. Branches are
 * all read, loops once, callbacks after the script that sets them, and functions nobody calls at the end, as possible.
 * Work is bounded: a function is read again only while the budget, a multiple of the source length, lasts.
 */
export class Machine {
  readonly effects: Effect[] = [];
  readonly globals = new Map<string, Value>();
  frame!: Frame;
  depth = 0;
  /** Set when depth or budget made it leave something unread. */
  cut = false;
  /** While a condition is read: whether it spoke of consent, and which names it looked at. */
  condition: { consent: boolean; names: string[] } | null = null;

  /** Work spent on reading code again, and what one script may spend. */
  #steps = 0;
  #limit = 0;
  #repeating = 0;
  #conditions = 0;
  #journal: Write[] | null = null;
  readonly #callbacks: { run: () => void }[] = [];
  readonly #functions: FunctionValue[] = [];
  readonly #entered = new Set<object>();

  readonly evaluate: (node: ESTree.Node) => Value;
  readonly execute: (body: readonly ESTree.Node[]) => void;

  constructor(
    evaluate: (machine: Machine, node: ESTree.Node) => Value,
    execute: (machine: Machine, body: readonly ESTree.Node[]) => void,
  ) {
    this.evaluate = node => {
      if (this.#repeating > 0) this.#steps++;
      if (this.depth >= MAX_DEPTH) {
        this.cut = true;
        return { kind: 'unknown' };
      }
      this.depth++;
      const value = evaluate(this, node);
      this.depth--;
      return value;
    };
    this.execute = body => {
      if (this.#repeating > 0) this.#steps++;
      if (this.depth >= MAX_DEPTH) {
        this.cut = true;
        return;
      }
      this.depth++;
      execute(this, body);
      this.depth--;
    };
  }

  /** Reads one script to its end, then what it put off. */
  run(script: number, body: readonly ESTree.Node[], length: number, state: State): void {
    this.#steps = 0;
    this.#limit = REPEATS + length / 8;
    this.frame = this.#outermost(script, state);
    this.execute(body);
    this.#drain();
  }

  /** Reads the functions that no script called. They can be called by code that was not seen, so they are possible. */
  finish(): void {
    this.#steps = 0;
    this.#limit = REPEATS;
    // Reading one may meet more; they join the end of the list.
    for (let i = 0; i < this.#functions.length; i++) {
      const f = this.#functions[i]!;
      if (this.#entered.has(f.node)) continue;
      this.frame = { ...this.#outermost(f.script, 'inert'), confidence: 'possible' };
      this.enter(f, null, { kind: 'unknown' }, null);
      this.#drain();
    }
  }

  #outermost(script: number, state: State): Frame {
    const scope = { names: this.globals, up: null };
    const self: Value = { kind: 'path', path: '' };
    const around = { arms: [], guards: [], inside: [], call: null, returns: [] };
    return { script, scope, self, args: UNDEFINED, state, confidence: 'certain', ...around };
  }

  #drain(): void {
    for (let i = 0; i < this.#callbacks.length; i++) this.#callbacks[i]!.run();
    this.#callbacks.length = 0;
  }

  emit(offset: number, effect: Bare<Effect>, confidence?: Confidence): void {
    if (this.effects.length >= MAX_EFFECTS) {
      this.cut = true;
      return;
    }
    const f = this.frame;
    this.effects.push({
      script: f.script,
      offset,
      state: f.state,
      confidence: confidence === undefined || f.confidence === 'possible' ? f.confidence : confidence,
      arms: f.arms,
      guards: f.guards,
      inside: f.inside,
      ...effect,
    } as Effect);
  }

  /** The value of a name on the window. */
  global(path: string): Value {
    if (WINDOWS.has(path)) return { kind: 'path', path: '' };
    if (this.condition) this.hear(path);
    if (path.length > MAX_PATH) return { kind: 'unknown' };
    if (STICKY.has(path)) return { kind: 'path', path };
    const value = this.globals.get(path);
    if (!value || (value.kind === 'function' && STUBS.has(path.split('.', 1)[0]!))) return { kind: 'path', path };
    return value;
  }

  /** Notes a name or word that a condition looks at. */
  hear(word: string): void {
    if (!this.condition) return;
    this.condition.names.push(word);
    this.condition.consent ||= speaksOfConsent(word);
  }

  lookup(name: string): Value {
    for (let scope: Scope | null = this.frame.scope; scope?.up; scope = scope.up) {
      const value = scope.names.get(name);
      if (value) {
        if (this.condition) this.hear(name);
        return value;
      }
    }
    return this.global(name);
  }

  /** Gives a name a value in the scope that declares it, else on the window. */
  assign(name: string, value: Value, offset: number): void {
    for (let scope: Scope | null = this.frame.scope; scope?.up; scope = scope.up) {
      if (scope.names.has(name)) {
        this.write(scope.names, name, value);
        return;
      }
    }
    this.assignGlobal(name, value, offset, false);
  }

  assignGlobal(path: string, value: Value, offset: number, declared: boolean): void {
    if (!path || path.length > MAX_PATH) return;
    this.emit(offset, { op: 'assign', path, value, declared });
    if (STICKY.has(path)) return;
    if (value.kind === 'path') {
      if (value.path !== path) this.write(this.globals, path, declared ? value : { ...value, alias: true });
      return;
    }
    if (value.kind === 'object' || value.kind === 'list') value.at ??= path;
    this.write(this.globals, path, value);
  }

  write(names: Map<string, Value>, name: string, value: Value): void {
    this.#journal?.push({ names, name, before: names.get(name) });
    names.set(name, value);
  }

  declare(name: string, value: Value, offset: number): void {
    const { scope } = this.frame;
    if (scope.up) this.write(scope.names, name, value);
    else this.assignGlobal(name, value, offset, true);
  }

  /** Reads the arms of one condition, each from the same beginning, and keeps what every name may be afterwards. */
  branch(arms: readonly (() => void)[], note: { consent: boolean; names: readonly string[] }): void {
    const condition = this.#conditions++;
    const outer = this.#journal;
    const { arms: armsBefore, state, guards } = this.frame;
    const guarded = note.names.length > 0 && guards.length < 32 ? [...guards, ...note.names.slice(0, 8)] : guards;
    const touched = new Map<Map<string, Value>, Map<string, Touched>>();
    for (let arm = 0; arm < arms.length; arm++) {
      const journal: Write[] = [];
      this.#journal = journal;
      this.frame.arms = armsBefore.length < 32 ? [...armsBefore, { condition, arm }] : armsBefore;
      this.frame.guards = guarded;
      if (note.consent && (state === 'run' || state === 'later')) this.frame.state = 'gated';
      arms[arm]!();
      for (let write = journal.pop(); write; write = journal.pop()) {
        const { names, name, before } = write;
        let entries = touched.get(names);
        if (!entries) touched.set(names, (entries = new Map()));
        let entry = entries.get(name);
        if (!entry) entries.set(name, (entry = { arm: -1, was: before, after: [] }));
        // The last write of an arm is the first one met; the earliest tells what was there before.
        if (entry.arm !== arm) entry.after.push(names.get(name) ?? UNDEFINED);
        entry.arm = arm;
        entry.was = before;
        if (before === undefined) names.delete(name);
        else names.set(name, before);
      }
    }
    this.#journal = outer;
    this.frame.arms = armsBefore;
    this.frame.guards = guards;
    this.frame.state = state;
    for (const [names, entries] of touched) {
      for (const [name, { was, after }] of entries) {
        if (after.length < arms.length || arms.length === 1) after.push(was ?? UNDEFINED);
        const known = after.filter(o => !(o.kind === 'literal' && o.value === undefined));
        if (known.length > 0) this.write(names, name, choice(known));
      }
    }
  }

  /** Remembers a function value, so that it is read at the end if nobody calls it. */
  meet(value: FunctionValue): FunctionValue {
    this.#functions.push(value);
    return value;
  }

  /** Reads code once more, and counts what that costs. */
  repeat(read: () => void): void {
    this.#repeating++;
    read();
    this.#repeating--;
  }

  /** Whether code may be read once more, or a value looked through again. Costs `steps` of the budget. */
  mayRepeat(steps = 1): boolean {
    this.#steps += steps;
    return this.#steps <= this.#limit;
  }

  isEntered(value: FunctionValue): boolean {
    return this.#entered.has(value.node);
  }

  /** Reads the body of a function now. Returns what it returns, as far as that is one thing. */
  enter(f: FunctionValue, args: readonly Value[] | null, self: Value, call: Frame['call']): Value {
    const again = this.#entered.has(f.node);
    if (again && (!this.mayRepeat() || this.frame.inside.length > 40)) return { kind: 'unknown' };
    if (this.depth >= MAX_DEPTH - 8) {
      this.cut = true;
      return { kind: 'unknown' };
    }
    this.#entered.add(f.node);
    const outer = this.frame;
    const names = new Map<string, Value>();
    const name = 'id' in f.node && f.node.id ? f.node.id.name : '';
    if (args && outer.inside.includes(`${f.script}:${f.node.start}:${name}`)) return { kind: 'unknown' };
    const list: Value = args ? { kind: 'list', items: [...args], isArguments: true } : { kind: 'unknown' };
    const isArrow = f.node.type === 'ArrowFunctionExpression';
    this.frame = {
      script: f.script,
      scope: { names, up: f.scope },
      self: isArrow ? outer.self : self,
      args: isArrow ? outer.args : list,
      state: outer.state,
      confidence: outer.confidence,
      arms: outer.arms,
      guards: outer.guards,
      inside: [...outer.inside, `${f.script}:${f.node.start}:${name}`],
      call: call ?? outer.call,
      returns: [],
    };
    if (name && f.node.type === 'FunctionExpression') names.set(name, f);
    if (again) this.#repeating++;
    const { params, body } = f.node;
    params.forEach((param, i) => {
      this.bind(param, args ? (args[i] ?? UNDEFINED) : { kind: 'unknown' }, args?.slice(i) ?? null);
    });
    let result: Value;
    if (body?.type === 'BlockStatement') {
      this.execute(body.body);
      result = this.frame.returns.length === 1 ? this.frame.returns[0]! : { kind: 'unknown' };
    } else {
      result = body ? this.evaluate(body) : { kind: 'unknown' };
    }
    if (again) this.#repeating--;
    this.frame = outer;
    return result;
  }

  /** Gives the names of a pattern their values. */
  bind(pattern: ESTree.Node, value: Value, rest: readonly Value[] | null = null): void {
    if (pattern.type === 'Identifier') this.declare(pattern.name, value, pattern.start ?? 0);
    else if (pattern.type === 'AssignmentPattern' && pattern.right) {
      const missing = value.kind === 'literal' && value.value === undefined;
      this.bind(pattern.left, missing ? this.evaluate(pattern.right) : value);
    } else if (pattern.type === 'RestElement') {
      this.bind(pattern.argument, rest ? { kind: 'list', items: [...rest], isArguments: true } : { kind: 'unknown' });
    } else if (pattern.type === 'ObjectPattern') {
      for (const property of pattern.properties) {
        if (property.type !== 'Property') continue;
        const key = property.key.type === 'Identifier' ? property.key.name : null;
        const found = key !== null && value.kind === 'object' ? value.entries.get(key) : undefined;
        const named =
          key !== null && value.kind === 'path' ? this.global(value.path ? `${value.path}.${key}` : key) : undefined;
        this.bind(property.value, found ?? named ?? { kind: 'unknown' });
      }
    } else if (pattern.type === 'ArrayPattern') {
      pattern.elements.forEach((element, i) => {
        if (element) this.bind(element, (value.kind === 'list' && value.items[i]) || { kind: 'unknown' });
      });
    }
  }

  /** Puts a callback off until the script is done. It runs as `later`, or `gated` when it waits for consent. */
  postpone(f: FunctionValue, gated: boolean): void {
    if (this.#entered.has(f.node)) return;
    this.#entered.add(f.node);
    const around = { ...this.frame };
    this.#callbacks.push({
      run: () => {
        const state = around.state === 'run' || around.state === 'later' ? (gated ? 'gated' : 'later') : around.state;
        this.frame = { ...around, state, returns: [] };
        this.enter(f, null, { kind: 'unknown' }, null);
      },
    });
  }

  /** Reads what runs only if a switch the server wrote were set otherwise. */
  asUnreached(read: () => void): void {
    const { state, confidence } = this.frame;
    this.frame.state = 'inert';
    this.frame.confidence = 'possible';
    read();
    this.frame.state = state;
    this.frame.confidence = confidence;
  }

  withConfidence(confidence: Confidence, read: () => void): void {
    const before = this.frame.confidence;
    if (before !== 'possible') this.frame.confidence = confidence;
    read();
    this.frame.confidence = before;
  }
}

/** Whether a name or word belongs to asking for consent. */
export const speaksOfConsent = (word: string): boolean =>
  word.length < 200 &&
  /consent|customerPrivacy|marketingAllowed|analyticsProcessingAllowed|saleOfDataAllowed|userCanBeTracked|cookiebot|onetrust|optanon|didomi|borlabs|cookieyes|tarteaucitron/i.test(
    word,
  );
