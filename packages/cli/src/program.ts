import { Command } from 'commander';
import { COMMANDS } from './commands.gen.ts';

const EXIT_CODES = `
Exit codes:
  0  success, regardless of the results
  1  the command couldn't complete (because of a file, database, or port error), a scan found an
     error, a lookup matched --fail-on, or the doctor found a problem to fix
  2  incorrect usage, or the page can't be scanned`;

/**
 * Creates the `compliance` command. Only the subcommand that `args` runs or asks help for is loaded in full, so that
 * `compliance lookup` doesn't wait for the service code. The other subcommands are listed with their descriptions.
 */
export async function createProgram(args: readonly string[]): Promise<Command> {
  const program = new Command('compliance')
    .description(
      'US import compliance: Section 232 lookups for HTS codes, storefront scans, certificates, API keys, and the service itself.',
    )
    .showHelpAfterError('(add --help for usage)')
    .addHelpText('after', EXIT_CODES)
    .exitOverride();
  const [first, second] = args.filter(arg => !arg.startsWith('-'));
  const selected = first === 'help' ? second : first;
  for (const { name, description, load } of COMMANDS) {
    const command = name === selected ? (await load()).default : new Command(name).description(description);
    program.addCommand(inherit(program, command));
  }
  return program;
}

/** Passes command settings on to subcommands. Commander does this only for subcommands created with `.command()`. */
function inherit(parent: Command, command: Command): Command {
  command.copyInheritedSettings(parent);
  for (const subcommand of command.commands) inherit(command, subcommand);
  return command;
}
