import type { ESTree } from 'meriyah';
import type { State } from '../model/execution.ts';
import type { Effect } from './effect.ts';
import { evaluate } from './evaluate.ts';
import { execute } from './execute.ts';
import { Interpreter } from './interpreter.ts';
import { type ParsedScript, parseJavaScript } from './parse.ts';

/** The source of a script or event handler, with its execution state. */
export interface ScriptSource {
  readonly source: string;
  readonly state: State;
  readonly kind: 'page' | 'handler';
}

/** The effects of all scripts on a page in execution order, and whether each script could be parsed. */
export interface ScriptReading {
  readonly effects: readonly Effect[];
  readonly outcomes: readonly ParsedScript['outcome'][];
  /** Whether the interpreter skipped code because of a depth or work limit. */
  readonly truncated: boolean;
}

/**
 * Interprets the scripts on one page in the given order, with one shared window.
 *
 * @example
 * readScripts([{ source: "var f = window.fbq; f('init', '1' + '2')", state: 'run', kind: 'page' }]).effects
 * // […, { op: 'call', path: 'fbq', args: [literal 'init', literal '12'], … }]
 */
export function readScripts(sources: readonly ScriptSource[]): ScriptReading {
  const interpreter = new Interpreter(evaluate, execute);
  const outcomes: ParsedScript['outcome'][] = [];
  sources.forEach(({ source, state, kind }, index) => {
    const { program, outcome } = parseJavaScript(source, kind);
    outcomes.push(outcome);
    if (program) interpreter.run(index, program.body as ESTree.Node[], source.length, state);
  });
  interpreter.finish();
  return { effects: interpreter.effects, outcomes, truncated: interpreter.truncated };
}
