import { Command, Option } from 'commander';
import { Failure } from './failure.ts';

const EXIT_CODES = `
Exit codes:
  0  done, whatever the answers are
  1  the command could not do its work (a file, the database, the port)
  2  the command was called wrongly`;

/**
 * The `compliance` command. Each subcommand loads its own code, so that a look-up does not wait for the server.
 */
export function createProgram(): Command {
  const program = new Command('compliance')
    .description('US import compliance: Section 232 look-up of HTS codes, API keys, and the service itself.')
    .showHelpAfterError('(add --help for what can be given)')
    .addHelpText('after', EXIT_CODES)
    .exitOverride();

  program
    .command('lookup')
    .description('Look HTS codes up in the Section 232 lists.')
    .argument('[codes...]', 'HTS codes; without any, they are read from standard input, one a line')
    .option('--as-of <date>', 'date of entry, YYYY-MM-DD (default: today in US Eastern time)')
    .option('--programs <programs>', 'comma-separated programs, or all (default: steel,aluminum,copper)')
    .option('--origin <country>', 'country of origin, ISO alpha-2: lists the duties that are possible')
    .option('--csv <file>', 'read the codes from a CSV file with a header (- for standard input)')
    .option('--column <name>', 'the column of the CSV file that holds the codes')
    .option('--hts <file>', 'official HTS export (.json or .json.gz), to tell which codes exist')
    .option('--json', 'print the answer as the API gives it')
    .action(async (codes, options) => (await import('./commands/lookup.ts')).lookupCommand(codes, options));

  const tariff = program.command('tariff').description('The Section 232 lists themselves.');
  tariff
    .command('diff')
    .description('Show what changed in the lists between two dates.')
    .argument('<from>', 'the earlier date, YYYY-MM-DD')
    .argument('<to>', 'the later date, YYYY-MM-DD')
    .option('--programs <programs>', 'comma-separated programs, or all (default: all)')
    .option('--json', 'print JSON')
    .action(async (from, to, options) =>
      (await import('./commands/tariff-diff.ts')).tariffDiffCommand(from, to, options),
    );

  const hts = program.command('hts').description('The official HTS, to tell which codes exist.');
  hts
    .command('import')
    .description('Check an official HTS export (.json or .json.gz) and keep it for the service.')
    .argument('<file>', 'the export as the USITC publishes it')
    .option('--edition <name>', 'its name (default: read from the file name)')
    .addOption(dataOption())
    .action(async (file, options) => (await import('./commands/hts-import.ts')).htsImportCommand(file, options));

  const keys = program.command('keys').description('API keys of the service.');
  keys
    .command('issue')
    .description('Issue a key. It is shown once.')
    .addOption(
      new Option('--scope <scope>', 'product area').choices(['pixel', 'entry', 'tariff', 'all']).default('all'),
    )
    .option('--note <note>', 'free text; delegate:on in it opens the beta gate', '')
    .addOption(dataOption())
    .option('--json', 'print JSON')
    .action(async options => (await import('./commands/keys.ts')).issueKey(options));
  keys
    .command('rotate')
    .description('Issue a successor with the same scope, note and limits, and let the old key expire.')
    .argument('<id>', 'id of the key, as keys list shows it')
    .addOption(
      new Option('--overlap <time>', 'how long the old key still works')
        .choices(['now', '1h', '24h', '7d'])
        .default('24h'),
    )
    .addOption(dataOption())
    .option('--json', 'print JSON')
    .action(async (id, options) => (await import('./commands/keys.ts')).rotateKey(id, options));
  keys
    .command('revoke')
    .description('End a key at once.')
    .argument('<id>', 'id of the key, as keys list shows it')
    .addOption(dataOption())
    .option('--json', 'print JSON')
    .action(async (id, options) => (await import('./commands/keys.ts')).revokeKey(id, options));
  keys
    .command('list')
    .description('List the keys, newest first.')
    .option('--all', 'also those that have ended')
    .addOption(dataOption())
    .option('--json', 'print JSON')
    .action(async options => (await import('./commands/keys.ts')).listKeys(options));

  program
    .command('serve')
    .description('Serve the API until interrupted.')
    .option('--port <number>', 'TCP port', port, 8787)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .addOption(dataOption())
    .addOption(
      new Option('--log <level>', 'what to write to standard error as JSON: a line for each request, or only failures')
        .choices(['info', 'error', 'silent'])
        .default('error'),
    )
    .option(
      '--metrics-port <number>',
      'serve /metrics for Prometheus on this port of its own (default: not at all)',
      port,
    )
    .addOption(
      new Option('--trusted-proxies <number>', 'how many proxies of yours stand before the service')
        .env('TRUSTED_PROXIES')
        .argParser(proxies)
        .default(0),
    )
    .option('--v0-deprecated <date>', 'say in every v0 answer that it is deprecated from this day on, YYYY-MM-DD')
    .option('--v0-sunset <date>', 'the day from which v0 may be gone, YYYY-MM-DD')
    .action(async options => (await import('./commands/serve.ts')).serveCommand(options));

  return program;
}

function dataOption(): Option {
  return new Option('--data <dir>', 'data folder of the embedded store; ignored when DATABASE_URL is set').default(
    './data',
  );
}

function proxies(text: string): number {
  if (!/^\d$/.test(text)) throw new Failure(`--trusted-proxies ${text}: give a number from 0 to 9.`, 2);
  return Number(text);
}

function port(text: string): number {
  const number = Number(text);
  if (!/^\d{1,5}$/.test(text) || number > 65_535)
    throw new Failure(`--port ${text}: give a number from 0 to 65535.`, 2);
  return number;
}
