/** Owner of a package name, according to the registry, and advice for the release. */
export interface Ownership {
  /** Whether this project owns the name, or `unverified` if the package isn't in the registry or the lookup fails. */
  readonly status: 'ours' | 'taken' | 'unverified';
  readonly message: string;
}

/**
 * Interprets the output of `npm view NAME name repository.url --json`, which is JSON whether or not the package exists.
 * The package belongs to this project if its repository URL is the URL of this project's repository.
 *
 * @param repository URL of this project's repository
 * @example ownershipOf('@compliance/core', '{"error":{"code":"E404"}}', repository).status // 'unverified'
 */
export function ownershipOf(name: string, output: string, repository: string): Ownership {
  const { error, 'repository.url': url } = parse(output);
  const scope = name.slice(1, name.indexOf('/'));
  const advice = `Before the first release, sign in to npm, and check that you own the scope: npm org ls ${scope}. To use another scope, run: pnpm rename --scope @SCOPE`;
  if (error?.code === 'E404')
    return {
      status: 'unverified',
      message: `${name} isn't in the registry, so the owner of its scope is unknown. ${advice}`,
    };
  if (error)
    return {
      status: 'unverified',
      message: `The registry lookup failed (${error.code}), so the owner is unknown. ${advice}`,
    };
  if (url?.includes(repository.replace('https://', '')))
    return { status: 'ours', message: `${name} names this repository` };
  return {
    status: 'taken',
    message: `${name} belongs to ${url ?? 'another project'}. To use another scope, run: pnpm rename --scope @SCOPE`,
  };
}

/** Part of the output of `npm view`. */
interface View {
  error?: { code: string };
  'repository.url'?: string;
}

function parse(output: string): View {
  try {
    return JSON.parse(output) as View;
  } catch {
    return { error: { code: 'no response' } };
  }
}
