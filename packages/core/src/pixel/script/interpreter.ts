import type { ESTree } from 'meriyah';
import { AD_GLOBALS } from '../ad-pixels/ad-pixels.ts';
import type { Branch, Confidence, State } from '../model/execution.ts';
import type { Effect, EffectContext } from './effect.ts';
import { choice, type FunctionValue, type Scope, UNDEFINED, type Value } from './value.ts';

/** Current position: script, function, and effect context. */
export interface Frame {
  readonly script: number;
  readonly scope: Scope;
  readonly self: Value;
  readonly args: Value;
  state: State;
  confidence: Confidence;
  branches: readonly Branch[];
  guards: readonly string[];
  inside: readonly string[];
  /**
   * Innermost known call that led to this position, or `null`. If the called function forwards its arguments to a tag
   * function, the tag call is reported at the position of this call.
   */
  readonly call: { readonly script: number; readonly offset: number } | null;
  readonly returns: Value[];
}

/** Whether execution continues after a statement, or leaves the function with `return` or `throw`. */
export type Completion = 'normal' | 'left';

interface Write {
  readonly names: Map<string, Value>;
  readonly name: string;
  readonly before: Value | undefined;
}

/**
 * A name assigned in some branches of a condition. `initial` is the value before the condition, `after` contains the
 * value at the end of each branch that assigns the name, and `branch` is the last such branch.
 */
interface WrittenName {
  branch: number;
  initial: Value | undefined;
  readonly after: Value[];
}

/** An effect without its context. */
type EffectDetails<E> = E extends Effect ? Omit<E, keyof EffectContext> : never;

// These names keep their meaning, regardless of what the page assigns to them. For example, `fbq` is still `fbq` after
// the base code assigns a queue to that name.
const STABLE_NAMES = new Set([
  ...(
    'fbq _fbq _fbds gtag ga _gaq _gat dataLayer clarity hj trekkie Shopify ShopifyAnalytics document navigator location ' +
    'urchinTracker _uacct Cookiebot OneTrust Didomi console'
  ).split(' '),
  ...AD_GLOBALS,
]);
/**
 * Queues whose stub defines methods, such as `trekkie.load = function …`. A call to `trekkie.load` is still recorded
 * under that name.
 */
const STUBS = new Set(['trekkie', 'fbq', 'ga', 'gtag', ...AD_GLOBALS]);
/** Functions and queues defined by vendors' base code. Other code often checks whether they exist. */
const TAG_FUNCTIONS = new Set(['fbq', '_fbq', 'gtag', 'ga', '_gaq', ...AD_GLOBALS]);
const WINDOWS = new Set(['window', 'self', 'globalThis', 'top', 'parent', 'frames']);
const MAX_DEPTH = 220;
const MAX_PATH = 120;
const MAX_EFFECTS = 200_000;
/** Base limit on repeated steps per script. The limit increases with the script's length. */
const REPEAT_LIMIT = 20_000;

/**
 * Interprets scripts abstractly, in browser order and with one shared window, without running them. The interpreter
 * follows all branches, evaluates each loop once, and evaluates callbacks at the end of the script that registers them.
 * Finally, the interpreter evaluates functions without a caller and marks their effects `possible`. The work is
 * bounded: the interpreter repeats functions only within a budget that increases linearly with the source length.
 */
export class Interpreter {
  readonly effects: Effect[] = [];
  readonly globals = new Map<string, Value>();
  frame!: Frame;
  depth = 0;
  /** Whether the interpreter skipped code because of the depth or effect limit. */
  truncated = false;
  /** Condition being evaluated: the names that the condition uses, and whether it mentions consent. */
  condition: { consent: boolean; names: string[] } | null = null;

  /** Number of repeated steps so far, and the limit for one script. */
  #steps = 0;
  #limit = 0;
  #repeating = 0;
  #conditions = 0;
  #journal: Write[] | null = null;
  readonly #callbacks: { run: () => void }[] = [];
  readonly #functions: FunctionValue[] = [];
  readonly #called = new Set<object>();
  /** Scripts that never run, with the confidence for each. */
  readonly #detached = new Map<number, Confidence>();
  /** Tag functions defined by the code executed so far. */
  readonly #defined = new Set<string>();
  /** Tag functions defined in scripts that never run. */
  readonly #lost = new Set<string>();

  readonly evaluate: (node: ESTree.Node) => Value;
  readonly execute: (body: readonly ESTree.Node[]) => Completion;

  constructor(
    evaluate: (interpreter: Interpreter, node: ESTree.Node) => Value,
    execute: (interpreter: Interpreter, body: readonly ESTree.Node[]) => Completion,
  ) {
    this.evaluate = node => {
      if (this.#repeating > 0) this.#steps++;
      if (this.depth >= MAX_DEPTH) {
        this.truncated = true;
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
        this.truncated = true;
        return 'normal';
      }
      this.depth++;
      const completion = execute(this, body);
      this.depth--;
      return completion;
    };
  }

  /** Executes one script, and then its deferred callbacks. */
  run(script: number, body: readonly ESTree.Node[], length: number, state: State): void {
    this.#steps = 0;
    this.#limit = REPEAT_LIMIT + length / 8;
    this.frame = this.#outermost(script, state);
    this.execute(body);
    this.#drain();
  }

  /**
   * Executes a script that a browser never runs, to find out what the script's author intended, and then undoes the
   * script's assignments.
   */
  runDetached(script: number, body: readonly ESTree.Node[], length: number, confidence: Confidence): void {
    this.#detached.set(script, confidence);
    this.#discardWrites(() => this.run(script, body, length, 'never_runs'));
  }

  #discardWrites(read: () => void): void {
    const outer = this.#journal;
    const journal: Write[] = [];
    this.#journal = journal;
    read();
    this.#journal = outer;
    for (let write = journal.pop(); write; write = journal.pop()) undo(write);
  }

  /** Records a tag function defined in a script that never runs. */
  noteLostDefinition(name: string): void {
    if (TAG_FUNCTIONS.has(name)) this.#lost.add(name);
  }

  /** Records a tag function, so that later checks for the function succeed. */
  noteDefinition(name: string): void {
    if (this.frame.state === 'never_runs') this.noteLostDefinition(name);
    else if (TAG_FUNCTIONS.has(name)) this.#defined.add(name);
  }

  /**
   * Returns whether a value is a tag function that the code executed so far hasn't defined. The result is an
   * assumption, because code that the scan can't see might define the function. Returns false in callbacks and other
   * code that runs later, because subsequent scripts might define the function by then.
   */
  isUndefinedTag(value: Value): boolean {
    return (
      value.kind === 'path' &&
      this.frame.state === 'run' &&
      TAG_FUNCTIONS.has(value.path) &&
      !this.#defined.has(value.path)
    );
  }

  /** The tag functions that are defined only in scripts that never run. */
  get lostFunctions(): ReadonlySet<string> {
    return new Set([...this.#lost].filter(name => !this.#defined.has(name)));
  }

  /**
   * Executes the functions that no script calls. Code that the scan can't see might call these functions, so their
   * effects are `possible`, unless the script itself never runs.
   */
  finish(): void {
    this.#steps = 0;
    this.#limit = REPEAT_LIMIT;
    // Executing a function can add more functions to the end of the list.
    for (let i = 0; i < this.#functions.length; i++) {
      const f = this.#functions[i]!;
      if (this.#called.has(f.node)) continue;
      const detached = this.#detached.has(f.script);
      this.frame = detached
        ? this.#outermost(f.script, 'never_runs')
        : { ...this.#outermost(f.script, 'inert'), confidence: 'possible' };
      this.callFunction(f, null, { kind: 'unknown' }, null);
      this.#drain();
    }
  }

  #outermost(script: number, state: State): Frame {
    const scope = { names: this.globals, up: null };
    const self: Value = { kind: 'path', path: '' };
    const around = { branches: [], guards: [], inside: [], call: null, returns: [] };
    const confidence = this.#detached.get(script) ?? 'certain';
    return { script, scope, self, args: UNDEFINED, state, confidence, ...around };
  }

  #drain(): void {
    for (let i = 0; i < this.#callbacks.length; i++) this.#callbacks[i]!.run();
    this.#callbacks.length = 0;
  }

  emit(offset: number, effect: EffectDetails<Effect>, confidence?: Confidence): void {
    if (this.effects.length >= MAX_EFFECTS) {
      this.truncated = true;
      return;
    }
    const f = this.frame;
    this.effects.push({
      script: f.script,
      offset,
      state: f.state,
      confidence:
        confidence === undefined || f.confidence === 'possible' || f.state === 'never_runs' ? f.confidence : confidence,
      branches: f.branches,
      guards: f.guards,
      inside: f.inside,
      ...effect,
    } as Effect);
  }

  /** Returns the value of a window property. */
  global(path: string): Value {
    if (WINDOWS.has(path)) return { kind: 'path', path: '' };
    if (this.condition) this.noteConditionWord(path);
    if (path.length > MAX_PATH) return { kind: 'unknown' };
    if (STABLE_NAMES.has(path)) return { kind: 'path', path };
    const value = this.globals.get(path);
    if (!value || (value.kind === 'function' && STUBS.has(path.split('.', 1)[0]!))) return { kind: 'path', path };
    return value;
  }

  /** Records that the current condition uses a name or word. */
  noteConditionWord(word: string): void {
    if (!this.condition) return;
    this.condition.names.push(word);
    this.condition.consent ||= mentionsConsent(word);
  }

  lookup(name: string): Value {
    for (let scope: Scope | null = this.frame.scope; scope?.up; scope = scope.up) {
      const value = scope.names.get(name);
      if (value) {
        if (this.condition) this.noteConditionWord(name);
        return value;
      }
    }
    return this.global(name);
  }

  /** Assigns a value to a name in the scope that declares the name, or to a window property. */
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
    this.noteDefinition(path);
    if (STABLE_NAMES.has(path)) return;
    if (value.kind === 'path') {
      if (value.path !== path) this.write(this.globals, path, declared ? value : { ...value, alias: true });
      return;
    }
    if (value.kind === 'object' || value.kind === 'list') value.at ??= path;
    this.write(this.globals, path, value);
  }

  write(names: Map<string, Value>, name: string, value: Value): void {
    this.#journal?.push({ names, name, before: names.get(name) });
    if (value.kind === 'object' || value.kind === 'list') value.named = true;
    names.set(name, value);
  }

  declare(name: string, value: Value, offset: number): void {
    const { scope } = this.frame;
    if (scope.up) this.write(scope.names, name, value);
    else this.assignGlobal(name, value, offset, true);
  }

  /**
   * Executes the branches of one condition, each from the same initial state, and merges the values that the branches
   * assign. Returns the number that identifies the condition.
   */
  branch(branches: readonly (() => void)[], note: { consent: boolean; names: readonly string[] }): number {
    const condition = this.#conditions++;
    const outer = this.#journal;
    const { branches: outerBranches, state, guards } = this.frame;
    const guarded = note.names.length > 0 && guards.length < 32 ? [...guards, ...note.names.slice(0, 8)] : guards;
    const written = new Map<Map<string, Value>, Map<string, WrittenName>>();
    for (let branch = 0; branch < branches.length; branch++) {
      const journal: Write[] = [];
      this.#journal = journal;
      this.frame.branches = outerBranches.length < 32 ? [...outerBranches, { condition, branch }] : outerBranches;
      this.frame.guards = guarded;
      if (note.consent && (state === 'run' || state === 'later')) this.frame.state = 'gated';
      branches[branch]!();
      for (let write = journal.pop(); write; write = journal.pop()) {
        const { names, name, before } = write;
        let entries = written.get(names);
        if (!entries) written.set(names, (entries = new Map()));
        let entry = entries.get(name);
        if (!entry) entries.set(name, (entry = { branch: -1, initial: before, after: [] }));
        // The loop reads the journal in reverse. For each name, it reads the latest write first and the earliest write
        // last, which contains the value from before the branch.
        if (entry.branch !== branch) entry.after.push(names.get(name) ?? UNDEFINED);
        entry.branch = branch;
        entry.initial = before;
        undo(write);
      }
    }
    this.#journal = outer;
    this.frame.branches = outerBranches;
    this.frame.guards = guards;
    this.frame.state = state;
    for (const [names, entries] of written) {
      for (const [name, { initial, after }] of entries) {
        if (after.length < branches.length || branches.length === 1) after.push(initial ?? UNDEFINED);
        const known = after.filter(o => !(o.kind === 'literal' && o.value === undefined));
        if (known.length > 0) this.write(names, name, choice(known));
      }
    }
    return condition;
  }

  /**
   * Treats the rest of the function as code that never runs. The confidence is `possible`, because code that the scan
   * can't see might change the condition.
   */
  leavePossibly(): void {
    if (this.frame.state === 'never_runs') return;
    this.frame.state = 'never_runs';
    this.frame.confidence = 'possible';
  }

  /** Treats the rest of the function as one branch of a condition whose other branches exit the function. */
  continueInBranch(branch: Branch): void {
    const { branches } = this.frame;
    if (branches.length < 32) this.frame.branches = [...branches, branch];
  }

  /** Registers a function, so that `finish` executes it if no code calls it. */
  registerFunction(value: FunctionValue): FunctionValue {
    this.#functions.push(value);
    return value;
  }

  /** Calls `read`, and counts its steps as repeated steps. */
  repeat(read: () => void): void {
    this.#repeating++;
    read();
    this.#repeating--;
  }

  /** Counts `steps` repeated steps toward the limit. Returns whether the budget was sufficient. */
  mayRepeat(steps = 1): boolean {
    this.#steps += steps;
    return this.#steps <= this.#limit;
  }

  wasCalled(value: FunctionValue): boolean {
    return this.#called.has(value.node);
  }

  /**
   * Executes a function body and returns the result, which is unknown if a block body doesn't return exactly once.
   */
  callFunction(f: FunctionValue, args: readonly Value[] | null, self: Value, call: Frame['call']): Value {
    const again = this.#called.has(f.node);
    if (again && (!this.mayRepeat() || this.frame.inside.length > 40)) return { kind: 'unknown' };
    if (this.depth >= MAX_DEPTH - 8) {
      this.truncated = true;
      return { kind: 'unknown' };
    }
    this.#called.add(f.node);
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
      branches: outer.branches,
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

  /** Binds the names in a pattern to their values. */
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

  /**
   * Defers a callback until the script ends. The callback's state is `later`, or `gated` if the callback waits for
   * consent.
   */
  defer(f: FunctionValue, gated: boolean): void {
    if (this.#called.has(f.node)) return;
    this.#called.add(f.node);
    const around = { ...this.frame };
    this.#callbacks.push({
      run: () => {
        const state = around.state === 'run' || around.state === 'later' ? (gated ? 'gated' : 'later') : around.state;
        this.frame = { ...around, state, returns: [] };
        this.callFunction(f, null, { kind: 'unknown' }, null);
      },
    });
  }

  /**
   * Analyzes code that never runs because its condition is never met. The confidence is `certain` if the condition
   * contains only literals, and `possible` if the condition uses variables, because unseen code might change their
   * values.
   */
  asUnreachable(confidence: Confidence, read: () => void): void {
    const { state, confidence: before } = this.frame;
    if (state !== 'never_runs' || before === 'possible') {
      this.frame.state = 'never_runs';
      this.frame.confidence = confidence;
    }
    if (confidence === 'certain') this.#discardWrites(read);
    else read();
    this.frame.state = state;
    this.frame.confidence = before;
  }

  withConfidence(confidence: Confidence, read: () => void): void {
    const before = this.frame.confidence;
    if (before !== 'possible' && this.frame.state !== 'never_runs') this.frame.confidence = confidence;
    read();
    this.frame.confidence = before;
  }
}

function undo({ names, name, before }: Write): void {
  if (before === undefined) names.delete(name);
  else names.set(name, before);
}

/** Returns whether a name or word relates to consent. */
export const mentionsConsent = (word: string): boolean =>
  word.length < 200 &&
  /consent|customerPrivacy|marketingAllowed|analyticsProcessingAllowed|saleOfDataAllowed|userCanBeTracked|cookiebot|onetrust|optanon|didomi|borlabs|cookieyes|tarteaucitron/i.test(
    word,
  );
