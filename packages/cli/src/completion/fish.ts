import { quoteForFish } from '../output/shell-quote.ts';
import { stepOf } from './bash.ts';
import { allNodes, type CommandNode, type OptionNode, summary } from './command-node.ts';

/**
 * Returns a completion script for fish, which shows the descriptions of commands and options.
 *
 * @example fishCompletion(commandTree(program))
 */
export function fishCompletion(root: CommandNode): string {
  const nodes = allNodes(root);
  const steps = nodes.filter(({ path }) => path !== '').map(({ path }) => stepOf(path));
  const lines = nodes.flatMap(({ path, options, subcommands }) => {
    const start = `complete -c compliance -n ${quoteForFish(`__compliance_at "${path}"`)}`;
    return [
      ...subcommands.map(
        each => `${start} -a ${each.path.split(' ').at(-1)} -d ${quoteForFish(summary(each.description))}`,
      ),
      ...options.map(option => `${start} ${flagsOf(option)} -d ${quoteForFish(summary(option.description))}`),
      ...(subcommands.length === 0 ? [`${start} -F`] : []),
    ];
  });
  return `# fish completions for the compliance command. To enable them, run:
#   compliance completion fish > ~/.config/fish/completions/compliance.fish
function __compliance_at --argument-names expected
    set -l at ''
    for word in (commandline -opc)[2..]
        switch "$at $word"
            case ${steps.map(quoteForFish).join(' ')}
                set at (string trim "$at $word")
        end
    end
    test "$at" = "$expected"
end
complete -c compliance -f
${lines.join('\n')}
`;
}

function flagsOf({ flags, value }: OptionNode): string {
  const names = flags.map(flag => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`)).join(' ');
  if (value.kind === 'choice') return `${names} -x -a ${quoteForFish(value.choices.join(' '))}`;
  return `${names}${{ none: '', path: ' -r -F', text: ' -x' }[value.kind]}`;
}
