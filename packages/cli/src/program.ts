import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { Command, Option } from 'commander';
import { CliError } from './cli-error.ts';
import { COMMANDS } from './commands.gen.ts';
import { version } from './version.ts';

const EXIT_CODES = `
Exit codes:
  0  success, regardless of the results
  1  the command couldn't complete (because of a file, database, or port error), a scan reported an
     error, a lookup or watch matched --fail-on, or doctor found a problem to fix
  2  invalid arguments, or the page can't be scanned`;

/**
 * Creates the `compliance` command. Loads only the subcommand that `args` selects, so that, for example, `compliance
 * lookup` doesn't load the service code. Other subcommands have only a name and a description.
 */
export async function createProgram(args: readonly string[]): Promise<Command> {
  const program = new Command('compliance')
    .description(
      'US import compliance: Section 232 lookups for HTS codes, storefront scans, certificates, API keys, and the API service.',
    )
    .version(version, '-V, --version', 'print the release version')
    .showHelpAfterError('(add --help for usage)')
    .addOption(new Option('--env-file <file>', "read settings from this file, such as the service's environment file"))
    .on('option:env-file', loadSettings)
    .addHelpText('after', EXIT_CODES)
    .exitOverride();
  const [first, second] = args.filter((arg, i) => !arg.startsWith('-') && args[i - 1] !== '--env-file');
  const selected = first === 'help' ? second : first;
  for (const { name, description, load } of COMMANDS) {
    const command = name === selected ? (await load()).default : new Command(name).description(description);
    program.addCommand(inherit(program, command));
  }
  return program;
}

/** Reads settings from a file. Variables that are already set take precedence. */
function loadSettings(file: string): void {
  try {
    for (const [name, value] of Object.entries(parseEnv(readFileSync(file, 'utf8')))) process.env[name] ??= value;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const todo = code === 'EACCES' ? 'Run the command as root, for example with sudo.' : 'Correct the path.';
    throw new CliError(`Can't read the settings in ${file} (${code}). ${todo}`);
  }
}

/** Copies command settings to subcommands. Commander copies settings only to subcommands created with `.command()`. */
function inherit(parent: Command, command: Command): Command {
  command.copyInheritedSettings(parent);
  for (const subcommand of command.commands) inherit(command, subcommand);
  return command;
}
