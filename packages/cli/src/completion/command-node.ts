import type { Command, Option } from 'commander';

/** Kind of value that an option takes: none, one of several words, a path, or other text. */
type OptionValue = { kind: 'none' | 'path' | 'text' } | { kind: 'choice'; choices: readonly string[] };

/** Option data that a completion script needs. */
export interface OptionNode {
  /** All flags, such as `['-o', '--output']`. */
  flags: readonly string[];
  description: string;
  value: OptionValue;
}

/** Command data that a completion script needs. */
export interface CommandNode {
  /** Subcommand names separated by spaces, such as `keys issue`, or an empty string for the program itself. */
  path: string;
  description: string;
  subcommands: readonly CommandNode[];
  options: readonly OptionNode[];
}

const HELP: OptionNode = { flags: ['-h', '--help'], description: 'display help for command', value: { kind: 'none' } };

/**
 * Returns a program's command tree. The program's options also apply to its subcommands.
 *
 * @example commandTree(program).subcommands[0].path // 'audit'
 */
export function commandTree(program: Command): CommandNode {
  const shared = program.options.filter(({ hidden }) => !hidden).map(optionNode);
  const nodeOf = (command: Command, path: readonly string[]): CommandNode => ({
    path: path.join(' '),
    description: command.description(),
    subcommands: command.commands.map(each => nodeOf(each, [...path, each.name()])),
    options: [
      ...(command === program ? [] : command.options.filter(({ hidden }) => !hidden).map(optionNode)),
      ...shared,
      HELP,
    ],
  });
  return nodeOf(program, []);
}

/** Returns a node and all nodes below it. */
export function allNodes(node: CommandNode): CommandNode[] {
  return [node, ...node.subcommands.flatMap(allNodes)];
}

function optionNode(option: Option): OptionNode {
  const flags = [option.short, option.long].filter(flag => flag !== undefined);
  return { flags, description: option.description, value: optionValue(option) };
}

function optionValue({ flags, argChoices, required, optional }: Option): OptionValue {
  if (argChoices) return { kind: 'choice', choices: argChoices };
  if (!required && !optional) return { kind: 'none' };
  return { kind: /[<[](file|dir|folder|path)\b/.test(flags) ? 'path' : 'text' };
}

/** Returns the first sentence of a description, on one line. */
export function summary(description: string): string {
  return description.replace(/\s+/g, ' ').replace(/(?<=\.) .*$/, '');
}
