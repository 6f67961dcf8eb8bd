import { Argument, Command } from 'commander';
import { bashCompletion } from '../completion/bash.ts';
import { commandTree } from '../completion/command-node.ts';
import { fishCompletion } from '../completion/fish.ts';
import { zshCompletion } from '../completion/zsh.ts';
import { print } from '../output/print.ts';

const SHELLS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };

/** The `compliance completion` command. */
export default new Command('completion')
  .description('Print a shell completion script for commands, options, and option values.')
  .addArgument(new Argument('<shell>', 'shell that will use the script').choices(Object.keys(SHELLS)))
  .action((shell: keyof typeof SHELLS, _: object, command: Command) => {
    print(SHELLS[shell](commandTree(command.parent!)).trimEnd());
  });
