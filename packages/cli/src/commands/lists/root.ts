import { publishRoot, RepositoryError } from '@compliance/lists';
import { Command, Option } from 'commander';
import { CliError } from '../../cli-error.ts';
import { readPublicKeys, readSigningKeys } from '../../input/signing-keys.ts';
import { count } from '../../options.ts';
import { print } from '../../output/print.ts';

interface Options {
  root: string[];
  targets: string[];
  snapshot: string[];
  timestamp: string[];
  rootThreshold: number;
  targetsThreshold: number;
  key: string[];
  days: number;
}

/** The `compliance lists root` command. */
export default new Command('root')
  .description('Create the root of a repository of signed data sets, or rotate its keys.')
  .argument('<folder>', 'repository folder')
  .requiredOption('--root <files...>', 'public keys of the root role, which determines which keys are trusted')
  .requiredOption('--targets <files...>', 'public keys of the targets role, which signs data sets')
  .requiredOption('--snapshot <files...>', 'public keys of the snapshot role, which signs the repository state')
  .requiredOption(
    '--timestamp <files...>',
    'public keys of the timestamp role, which attests that the repository is current',
  )
  .addOption(threshold('--root-threshold <number>', 'number of root keys that must sign a root'))
  .addOption(
    threshold('--targets-threshold <number>', 'number of keys from the targets role that must sign a data set'),
  )
  .requiredOption(
    '--key <files...>',
    'private root keys to sign with; for a rotation, include the private keys of the previous root',
  )
  .addOption(days('--days <number>', 'days until the root expires', 365))
  .action((folder: string, options: Options) => {
    const role = (files: readonly string[], number = 1) => ({ keys: readPublicKeys(files), threshold: number });
    const roles = {
      root: role(options.root, options.rootThreshold),
      targets: role(options.targets, options.targetsThreshold),
      snapshot: role(options.snapshot),
      timestamp: role(options.timestamp),
    };
    const published = reportRepositoryErrors(() =>
      publishRoot(folder, { roles, signers: readSigningKeys(options.key), now: new Date(), days: options.days }),
    );
    print(`Wrote root ${published.version}, which expires on ${published.expires.slice(0, 10)}: ${published.file}`);
  });

function threshold(flags: string, description: string): Option {
  return new Option(flags, description).argParser(count(20)).default(1);
}

/** Returns an option for the number of days until metadata expires. */
export function days(flags: string, description: string, standard: number): Option {
  return new Option(flags, description).argParser(count(3650)).default(standard);
}

/**
 * Runs `work` and converts repository errors to `CliError`. The messages of repository errors already explain what to
 * do.
 */
export function reportRepositoryErrors<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof RepositoryError ? new CliError(error.message) : error;
  }
}
