import { quoteForShell } from '../output/shell-quote.ts';
import { allNodes, type CommandNode } from './command-node.ts';

/**
 * Returns a completion script for bash. If the script has no suggestions, bash completes paths.
 *
 * @example bashCompletion(commandTree(program))
 */
export function bashCompletion(root: CommandNode): string {
  const nodes = allNodes(root);
  const steps = nodes.filter(({ path }) => path !== '').map(({ path }) => stepOf(path));
  const values = nodes.flatMap(({ path, options }) =>
    options.flatMap(({ flags, value }) => {
      if (value.kind === 'none') return [];
      const words = value.kind === 'choice' ? value.choices.join(' ') : '';
      return [`    ${flags.map(flag => quoteForShell(`${path} ${flag}`)).join('|')}) words=${quoteForShell(words)} ;;`];
    }),
  );
  const rest = nodes.map(({ path, options, subcommands }) => {
    const flags = options.flatMap(option => option.flags).join(' ');
    const names = subcommands.map(each => each.path.split(' ').at(-1)!).join(' ');
    return `        ${quoteForShell(path)}) flags=${quoteForShell(flags)} words=${quoteForShell(names)} ;;`;
  });
  return `# bash completions for the compliance command. To enable them, add this line to ~/.bashrc:
#   eval "$(compliance completion bash)"
_compliance() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} at='' flags='' words='' i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at \${COMP_WORDS[i]}" in
      ${steps.map(quoteForShell).join('|')}) at="\${at:+$at }\${COMP_WORDS[i]}" ;;
    esac
  done
  case "$at $previous" in
${values.join('\n')}
    *)
      case $at in
${rest.join('\n')}
      esac
      if [[ $current == -* ]]; then words=$flags; fi
      ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _compliance compliance
`;
}

/**
 * Returns the pattern that a completion script matches when it reaches the last word of a command path: the preceding
 * words, a space, and the last word. If the path has only one word, the pattern starts with the space.
 */
export function stepOf(path: string): string {
  return path.includes(' ') ? path : ` ${path}`;
}
