import { Argument, Command } from 'commander';
import { bashCompletion } from '../completion/bash.ts';
import { commandTree } from '../completion/command-node.ts';
import { fishCompletion } from '../completion/fish.ts';
import { zshCompletion } from '../completion/zsh.ts';
import { print } from '../output/print.ts';

const SHELLS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };

/** The `compliance completion` command. */
export default new Command('completion')
  .description('Print a script that completes commands, options, and their values in a shell.')
  .addArgument(new Argument('<shell>', 'shell that reads the script').choices(Object.keys(SHELLS)))
  .action((shell: keyof typeof SHELLS, _: object, command: Command) => {
    print(SHELLS[shell](commandTree(command.parent!)).trimEnd());
  });
