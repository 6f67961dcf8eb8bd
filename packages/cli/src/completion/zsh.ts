import { quoteForShell } from '../output/shell-quote.ts';
import { stepOf } from './bash.ts';
import { allNodes, type CommandNode, summary } from './command-node.ts';

const PROGRAM = 'compliance';

/**
 * Returns a completion script for zsh, which shows the descriptions of commands and options.
 *
 * @example zshCompletion(commandTree(program))
 */
export function zshCompletion(root: CommandNode): string {
  const nodes = allNodes(root);
  const steps = nodes.filter(({ path }) => path !== '').map(({ path }) => stepOf(path));
  const values = nodes.flatMap(({ path, options }) =>
    options.flatMap(({ flags, value }) => {
      if (value.kind === 'none') return [];
      const action = { choice: 'compadd --', path: '_files', text: ':' }[value.kind];
      const words = value.kind === 'choice' ? ` ${value.choices.map(quoteForShell).join(' ')}` : '';
      return [`    ${flags.map(flag => quoteForShell(`${path} ${flag}`)).join('|')}) ${action}${words}; return ;;`];
    }),
  );
  const rest = nodes.map(({ path, options, subcommands }) => {
    const flags = options.flatMap(option => option.flags.map(flag => described(flag, option.description)));
    const names = subcommands.map(each => described(each.path.split(' ').at(-1)!, each.description));
    return `    ${quoteForShell(path)}) flags=(${flags.join(' ')}) names=(${names.join(' ')}) ;;`;
  });
  return `#compdef compliance
# zsh completions for the compliance command. To enable them, add this line to ~/.zshrc after compinit:
#   eval "$(compliance completion zsh)"
_compliance() {
  local at='' word
  local -a flags names
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$at $word" in
      ${steps.map(quoteForShell).join('|')}) at="\${at:+$at }$word" ;;
    esac
  done
  case "$at $words[CURRENT-1]" in
${values.join('\n')}
  esac
  case $at in
${rest.join('\n')}
  esac
  if [[ $words[CURRENT] == -* ]]; then
    _describe option flags
  elif (( $#names )); then
    _describe command names
  else
    _files
  fi
}
compdef _compliance ${PROGRAM}
`;
}

function described(name: string, description: string): string {
  return quoteForShell(`${name}:${summary(description)}`);
}
