import { Command, Option } from 'commander';
import { COMMANDS, type CommandEntry } from './commands.gen.ts';
import { hideNotices } from './output/notice.ts';
import type { SettingsFiles } from './settings/load-settings.ts';
import { version } from './version.ts';

const EXIT_CODES = `
Exit codes:
  0  the command succeeded, and none of the following conditions apply
  1 the command failed, or it found a problem: a scan reported an error, a lookup or watch matched --fail-on, or doctor, verify, or a lists command found something to fix
  2  invalid arguments or settings, or the page can't be scanned`;

/**
 * Matches the argument parser's message for an invalid value in an option or in the corresponding environment variable.
 */
const INVALID_VALUE =
  /^option '(?:-\w, )?(--[\w-]+)[^']*' (?:argument|value) '(.*?)'(?: from env '(\w+)')? is invalid\. (.+)$/s;

/** Global options that take a file. */
const FILE_OPTIONS = ['--env-file', '--config'];

/**
 * Creates the `compliance` command. Loads only the command that `args` selects: `compliance lookup`, for example,
 * doesn't load the service code. Other commands have only a name and a description.
 */
export async function createProgram(args: readonly string[]): Promise<Command> {
  const program = new Command('compliance')
    .description(
      'U.S. compliance for e-commerce: Section 232 lookups for HTS codes, storefront scans, certificates, API keys, and the API service.',
    )
    .version(version, '-V, --version', 'print the release version')
    .option('--env-file <file>', "read settings from this file, such as the service's environment file")
    .addOption(new Option('--config <file>', 'read settings from this JSON file').env('COMPLIANCE_CONFIG'))
    .option('-q, --quiet', 'hide progress and notices; results and errors are still printed')
    .hook('preSubcommand', applyGlobalOptions)
    .addHelpText('after', EXIT_CODES)
    .configureOutput({ outputError: (message, write) => write(`compliance: ${usageError(message)}\n`) })
    .exitOverride();
  const words = args.filter((arg, i) => !arg.startsWith('-') && !FILE_OPTIONS.includes(args[i - 1]!));
  const path = words[0] === 'help' ? words.slice(1) : words;
  for (const entry of COMMANDS) program.addCommand(inherit(program, await createCommand(entry, path)));
  return program;
}

/**
 * Creates a command. Loads the command's code only if `path` (the command names in the arguments) selects the command.
 */
async function createCommand(entry: CommandEntry, path: readonly string[]): Promise<Command> {
  const { name, description, load, subcommands = [] } = entry;
  const [selected, ...rest] = path;
  // Completion scripts contain the options of all commands.
  const isSelected = name === selected || selected === 'completion';
  const isGroupOnly = isSelected && subcommands.some(subcommand => subcommand.name === rest[0]);
  if (isSelected && !isGroupOnly) return (await load()).default;
  const command = new Command(name).description(description);
  if (isGroupOnly) for (const subcommand of subcommands) command.addCommand(await createCommand(subcommand, rest));
  return command;
}

async function applyGlobalOptions(program: Command): Promise<void> {
  const { quiet = false, ...files } = program.opts<SettingsFiles & { quiet?: boolean }>();
  hideNotices(quiet);
  // If no file is specified, don't load the code that validates settings.
  if (!files.envFile && !files.config) return;
  const { loadSettings } = await import('./settings/load-settings.ts');
  loadSettings(files, process.env);
}

/** Rewrites an error message from the argument parser to match the style of all other errors. */
function usageError(message: string): string {
  const [problem = '', suggestion = ''] = message
    .trim()
    .replace(/^error: /, '')
    .split('\n');
  const [, flag, value, variable, advice] = INVALID_VALUE.exec(problem) ?? [];
  if (advice) return `${variable ?? flag} ${value}: ${advice[0]!.toLowerCase()}${advice.slice(1)}`;
  const sentence = `${problem[0]!.toUpperCase()}${problem.slice(1)}`.replace(/\.?$/, '.');
  return [sentence, suggestion.replace(/^\((.*)\)$/, '$1'), 'For usage, add --help.'].filter(Boolean).join(' ');
}

/** Copies command settings to subcommands. Commander copies settings only to subcommands created with `.command()`. */
function inherit(parent: Command, command: Command): Command {
  command.copyInheritedSettings(parent);
  for (const subcommand of command.commands) inherit(command, subcommand);
  return command;
}
