import { writeFileSync } from 'node:fs';
import { createSigningKey } from '@compliance/lists';
import { Command } from 'commander';
import { CliError, fileError } from '../../cli-error.ts';
import { PASSPHRASE } from '../../input/signing-keys.ts';
import { print } from '../../output/print.ts';

/** The `compliance lists key` command. */
export default new Command('key')
  .description(
    `Create a key pair for signing data sets: FILE contains the private key, and FILE.pub contains the public key. If ${PASSPHRASE} is set, the private key is encrypted.`,
  )
  .argument('<file>', 'file for the private key')
  .action((file: string) => {
    const { privateKey, publicKey } = createSigningKey(process.env[PASSPHRASE] || undefined);
    try {
      writeFileSync(file, privateKey, { flag: 'wx', mode: 0o600 });
      writeFileSync(`${file}.pub`, publicKey, { flag: 'wx' });
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EEXIST') throw new CliError(`${file} or ${file}.pub already exists. Specify a new file.`);
      throw fileError(`Can't write ${file}`, error);
    }
    const isEncrypted = privateKey.includes('ENCRYPTED');
    print(
      `${file} contains the ${isEncrypted ? 'encrypted' : 'unencrypted'} private key, and ${file}.pub contains the public key.`,
    );
  });
