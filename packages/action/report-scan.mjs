// Writes a scan's outputs and summary, and fails the step if the result matches FAIL_ON.
import { appendFileSync, readFileSync } from 'node:fs';

const CONDITIONS = ['error', 'warn', 'drift', 'never'];

const { RESULT, FAIL_ON, GITHUB_OUTPUT, GITHUB_STEP_SUMMARY } = process.env;
const conditions = FAIL_ON.split(',').map(name => name.trim());
const unknown = conditions.filter(name => !CONDITIONS.includes(name));
if (unknown.length > 0) fail(`fail-on accepts ${CONDITIONS.join(', ')}.`);

const { score, severity_counts, drift, findings } = JSON.parse(readFileSync(RESULT, 'utf8'));
const status = drift?.drift_status ?? '';
const outputs = { score: score ?? '', errors: severity_counts.error, warnings: severity_counts.warn, drift: status };
const lines = Object.entries({ ...outputs, result: RESULT }).map(([name, value]) => `${name}=${value}\n`);
appendFileSync(GITHUB_OUTPUT, lines.join(''));

const rows = findings
  .slice(0, 50)
  .map(({ severity, rule_id, message }) => `| ${severity} | ${rule_id} | ${cell(message)} |\n`);
appendFileSync(
  GITHUB_STEP_SUMMARY,
  [
    '### Storefront scan\n\n',
    `Score: ${score ?? 'not scored'} · errors: ${outputs.errors} · warnings: ${outputs.warnings}`,
    `${status === '' ? '' : ` · changes since the baseline: ${status}`}\n\n`,
    '| Severity | Rule | Finding |\n| --- | --- | --- |\n',
    ...rows,
  ].join(''),
);

const matches = {
  error: outputs.errors > 0,
  warn: outputs.warnings > 0,
  drift: status !== '' && status !== 'none',
  never: false,
};
const matched = conditions.filter(name => matches[name]);
if (matched.length > 0) fail(`The scan result matches fail-on: ${matched.join(', ')}.`);

/** Escapes a message for a table cell, because the message can contain text from the page. */
function cell(text) {
  const safe = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '|': '&#124;', '`': '&#96;', '[': '&#91;', '!': '&#33;' };
  return text.replace(/[&<>|`[!]/g, character => safe[character]).replace(/\s+/g, ' ');
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
