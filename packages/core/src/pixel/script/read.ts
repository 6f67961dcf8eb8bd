import type { ESTree } from 'meriyah';
import type { Effect, State } from './effect.ts';
import { evaluate } from './evaluate.ts';
import { execute } from './execute.ts';
import { Machine } from './machine.ts';
import { type ParsedScript, parseJavaScript } from './parse.ts';

/** A piece of JavaScript and when it runs. */
export interface ScriptSource {
  readonly source: string;
  readonly state: State;
  readonly kind: 'page' | 'handler';
}

/** What all scripts of a page do, in the order they would do it, and how each could be read. */
export interface ScriptReading {
  readonly effects: readonly Effect[];
  readonly outcomes: readonly ParsedScript['outcome'][];
  /** Code nested or repeated beyond the limits was left unread. */
  readonly cut: boolean;
}

/**
 * Reads the scripts of one page in the given order over one window.
 *
 * @example
 * readScripts([{ source: "var f = window.fbq; f('init', '1' + '2')", state: 'run', kind: 'page' }]).effects
 * // […, { op: 'call', path: 'fbq', args: [literal 'init', literal '12'], … }]
 */
export function readScripts(sources: readonly ScriptSource[]): ScriptReading {
  const machine = new Machine(evaluate, execute);
  const outcomes: ParsedScript['outcome'][] = [];
  sources.forEach(({ source, state, kind }, index) => {
    const { program, outcome } = parseJavaScript(source, kind);
    outcomes.push(outcome);
    if (program) machine.run(index, program.body as ESTree.Node[], source.length, state);
  });
  machine.finish();
  return { effects: machine.effects, outcomes, cut: machine.cut };
}
