import type { ESTree } from 'meriyah';
import type { State } from '../model/execution.ts';
import type { Effect } from './effect.ts';
import { evaluate } from './evaluate.ts';
import { execute } from './execute.ts';
import { Interpreter } from './interpreter.ts';
import { type ParsedScript, parseJavaScript, type ScriptKind } from './parse.ts';

/** The source of a script or event handler, with its execution state. */
export interface ScriptSource {
  readonly source: string;
  readonly state: State;
  readonly kind: ScriptKind;
  /**
   * Whether the script might be valid despite a syntax error, because Shopify serves the script on every page, or
   * because `source` is a template or might be truncated.
   */
  readonly presumedValid: boolean;
}

/** The outcome of parsing one script, without the parsed program. */
type ScriptOutcome = Pick<ParsedScript, 'outcome' | 'problem'>;

/** The effects of all scripts on a page in execution order, and whether each script could be parsed. */
export interface ScriptReading {
  readonly effects: readonly Effect[];
  readonly outcomes: readonly ScriptOutcome[];
  /** Tag functions, such as `fbq`, that are defined only in scripts that never run. Calls to these functions fail. */
  readonly lostFunctions: ReadonlySet<string>;
  /** Whether the interpreter skipped code because of the depth or effect limit. */
  readonly truncated: boolean;
}

/** Matches a function declaration or a function assignment in code that can't be parsed. */
const DEFINITION = /\bfunction\s{1,9}(\w{2,9})\s{0,9}\(|\b(\w{2,9})\s{0,9}=\s{0,9}function\b/g;

/**
 * Interprets the scripts on one page in the given order, with one shared window. A script with a syntax error never
 * runs, so it doesn't change the window.
 *
 * @example
 * const source = "var f = window.fbq; f('init', '1' + '2')";
 * readScripts([{ source, state: 'run', kind: 'script', presumedValid: false }]).effects
 * // […, { op: 'call', path: 'fbq', args: [literal 'init', literal '12'], … }]
 */
export function readScripts(sources: readonly ScriptSource[]): ScriptReading {
  const interpreter = new Interpreter(evaluate, execute);
  const outcomes: ScriptOutcome[] = [];
  sources.forEach(({ source, state, kind, presumedValid }, index) => {
    const { program, outcome, problem } = parseJavaScript(source, kind);
    outcomes.push({ outcome, problem });
    if (!program) {
      if (problem && !presumedValid)
        for (const [, declared, assigned] of source.matchAll(DEFINITION))
          interpreter.noteLostDefinition(declared ?? assigned!);
      return;
    }
    const body = program.body as ESTree.Node[];
    if (!problem || presumedValid) interpreter.run(index, body, source.length, state);
    else interpreter.runDetached(index, body, source.length, problem.cdata ? 'possible' : 'certain');
  });
  interpreter.finish();
  const { effects, lostFunctions, truncated } = interpreter;
  return { effects, outcomes, lostFunctions, truncated };
}
