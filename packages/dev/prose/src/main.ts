import { parseArgs } from 'node:util';
import { check } from './check.ts';
import { checkCommits } from './commits.ts';
import { applyExceptions, readExceptions } from './exceptions.ts';
import { POOLS } from './extract/unit.ts';
import { extractFile, listFiles } from './files.ts';
import { formatProblem } from './problem.ts';
import { sampleSentences } from './sample.ts';

const USAGE = `Usage: pnpm check:prose [options] [path…]

Checks the English in the repository, or in the specified files and folders.

  --list             print all text as "file:line kind: text" without running checks
  --sample COUNT     print a random sample of sentences without running checks
  --seed NUMBER      sample seed (default: 1)
  --pool POOL        use only the text in this pool: ${POOLS.join(', ')}
  --without-grammar  skip the grammar check, which takes most of the time
  --commits RANGE    check the commit subjects in this range, such as main..HEAD
  --help             print this help
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    list: { type: 'boolean', default: false },
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    pool: { type: 'string' },
    'without-grammar': { type: 'boolean', default: false },
    commits: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

/** Prints all lines in one write, which is faster than thousands of writes. */
const print = (lines: readonly string[]) => process.stdout.write(lines.map(line => `${line}\n`).join(''));

if (values.help) {
  process.stdout.write(USAGE);
} else if (values.commits !== undefined) {
  const problems = checkCommits(values.commits);
  print(problems);
  process.exitCode = problems.length > 0 ? 1 : 0;
} else {
  const files = listFiles(positionals);
  const units = files.flatMap(extractFile).filter(({ pool }) => values.pool === undefined || pool === values.pool);
  if (values.list) {
    print(units.map(({ file, pieces, kind, text }) => `${file}:${pieces[0]!.line} ${kind}: ${text}`));
  } else if (values.sample !== undefined) {
    print(sampleSentences(units, Number(values.sample), Number(values.seed)));
  } else {
    const hasGrammar = !values['without-grammar'];
    const { problems, unused } = applyExceptions(await check(units, hasGrammar), readExceptions());
    print(problems.map(formatProblem));
    // Report unused exceptions only if the whole repository was checked.
    const isWhole = positionals.length === 0 && values.pool === undefined;
    const stale = isWhole ? unused.filter(({ rule }) => hasGrammar || !rule.startsWith('harper/')) : [];
    print(stale.map(({ file, rule, text }) => `exceptions.json: unused exception for ${rule} in ${file}: ${text}`));
    for (const pool of POOLS) print([`${pool}: ${problems.filter(({ unit }) => unit.pool === pool).length}`]);
    process.exitCode = problems.length + stale.length > 0 ? 1 : 0;
  }
}
