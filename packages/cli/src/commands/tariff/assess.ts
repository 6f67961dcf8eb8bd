import { AssessError, assess, easternDate } from '@compliance/core/tariff';
import { Command } from 'commander';
import { CliError } from '../../cli-error.ts';
import { datasetOption, readDataset } from '../../input/dataset.ts';
import { collectOption, type FactOptions, readFactOptions } from '../../input/facts.ts';
import { readNomenclature } from '../../input/nomenclature.ts';
import { jsonOption } from '../../options.ts';
import { assessmentReport } from '../../output/assessment-report.ts';
import { print } from '../../output/print.ts';

interface Options extends FactOptions {
  origin: string;
  asOf?: string;
  hts?: string;
  dataset?: string;
  json?: boolean;
}

const EXAMPLES = `
Examples:
  compliance tariff assess 7326.90.8688 --origin CN --value 10000
  compliance tariff assess 7326.90.8688 --origin CN --value 10000 --other 301=25 \\
    --fact column1_rate_pct=2.9 --fact end_use=other --fact certification=none --fact us_origin_pct.steel=0`;

/** The `compliance tariff assess` command. */
export default new Command('assess')
  .description('Assess the Section 232 duties on an article based on the known facts.')
  .argument('<code>', 'HTS code')
  .requiredOption('--origin <country>', 'country of origin (ISO alpha-2)')
  .option('--as-of <date>', 'date of entry, YYYY-MM-DD (default: today in US Eastern time)')
  .option('--value <amount>', 'customs value of the entry line in US dollars')
  .option('--fact <name=value>', 'known fact about the article (repeatable)', collectOption, [])
  .option('--facts <file>', 'JSON file with known facts about the article')
  .option(
    '--other <program=rate>',
    'duty outside Section 232 to include in the total, such as 301=25 or AD=$120.50 (repeatable)',
    collectOption,
    [],
  )
  .option('--hts <file>', 'official HTS export (.json or .json.gz) for the column 1 rate')
  .addOption(datasetOption())
  .addOption(jsonOption('print the same JSON as the API'))
  .addHelpText('after', EXAMPLES)
  .action(async (code: string, options: Options) => {
    const facts = await readFactOptions(options);
    const nomenclature = options.hts === undefined ? undefined : await readNomenclature(options.hts);
    const { dataset } = await readDataset(options.dataset);
    const article = { code, as_of: options.asOf ?? easternDate(Date.now()), origin: options.origin, facts };
    try {
      const assessment = assess(article, { ...(nomenclature && { nomenclature }), ...(dataset && { dataset }) });
      print(options.json ? JSON.stringify(assessment) : assessmentReport(assessment, facts));
    } catch (error) {
      if (!(error instanceof AssessError)) throw error;
      throw new CliError(error.message.replace(/^as_of\b/, '--as-of').replace(/^origin\b/, '--origin'), 2);
    }
  });
