import { randomBytes } from 'node:crypto';
import { type DeploymentOptions, envLines, newSecrets } from './deployment.ts';

/** Returns the contents of the `.env` file for compose.yaml, with new secrets. */
export function composeSettings({ host, contact }: DeploymentOptions): string {
  return envLines({
    COMPLIANCE_HOST: host,
    COMPLIANCE_CONTACT: contact,
    ...newSecrets(),
    DATABASE_PASSWORD: randomBytes(24).toString('hex'),
    S3_ACCESS_KEY_ID: randomBytes(10).toString('hex'),
    S3_SECRET_ACCESS_KEY: randomBytes(24).toString('hex'),
  });
}
