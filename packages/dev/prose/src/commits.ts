import { execFileSync } from 'node:child_process';
import { REPOSITORY_ROOT } from './files.ts';

const MAX_LENGTH = 72;

/** Checks the subjects of all commits in a range, except merge commits. Returns one line for each problem. */
export function checkCommits(range: string): string[] {
  const log = execFileSync('git', ['log', '--no-merges', '--format=%h %s', range, '--'], {
    cwd: REPOSITORY_ROOT,
    encoding: 'utf8',
    timeout: 60_000,
  });
  return log
    .split('\n')
    .filter(Boolean)
    .flatMap(line => {
      const [commit, ...words] = line.split(' ');
      return checkSubject(words.join(' ')).map(problem => `${commit} ${problem}`);
    });
}

/** Returns the problems with a commit subject. */
export function checkSubject(subject: string): string[] {
  return [
    ...(/^[a-z][\w./-]*: [a-z0-9]/.test(subject) ? [] : [`"${subject}": Start with the area and a lowercase verb.`]),
    ...(subject.length <= MAX_LENGTH ? [] : [`"${subject}": Use at most ${MAX_LENGTH} characters.`]),
    ...(subject.endsWith('.') ? [`"${subject}": Omit the period.`] : []),
  ];
}
