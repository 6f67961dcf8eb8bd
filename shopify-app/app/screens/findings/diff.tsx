import { useTranslation } from 'react-i18next';
import type { FileFix } from '../../../src/scan/model/types.ts';
import { Text } from '../../ui/kit/components.ts';

const MARKS = { same: '', removed: '−', added: '+' } as const;
const BACKGROUNDS = {
  same: 'transparent',
  removed: 'var(--p-color-bg-surface-critical)',
  added: 'var(--p-color-bg-surface-success)',
} as const;

const number = { padding: '0 var(--p-space-100)', textAlign: 'end', verticalAlign: 'top', userSelect: 'none' } as const;

/**
 * Shows the exact lines of a theme file before and after a fix, with their line numbers in the file. Changed lines also
 * have a marker and text for screen readers, so that color isn't the only indication of a change.
 */
export function Diff({ name, hunks }: Pick<FileFix, 'name' | 'hunks'>) {
  const { t } = useTranslation();
  return (
    <table
      style={{
        ...{ width: '100%', borderCollapse: 'collapse', tableLayout: 'fixed', fontFamily: 'var(--p-font-family-mono)' },
        ...{ fontSize: 'var(--p-font-size-300)', background: 'var(--p-color-bg-surface-secondary)' },
      }}
    >
      <caption style={{ textAlign: 'start', overflowWrap: 'anywhere', paddingBlockEnd: 'var(--p-space-100)' }}>
        {name}
      </caption>
      <colgroup>
        <col style={{ width: '3.5em' }} />
        <col style={{ width: '1.5em' }} />
        <col />
      </colgroup>
      <thead>
        <tr>
          {(['line', 'change', 'code'] as const).map(column => (
            <th key={column} scope="col" style={{ padding: 0 }}>
              <Text as="span" visuallyHidden>
                {t(`findings.fix.diff.${column}`)}
              </Text>
            </th>
          ))}
        </tr>
      </thead>
      {hunks.map(hunk => (
        <tbody
          key={`${hunk[0]?.before}:${hunk[0]?.after}`}
          style={{ borderBlockEnd: '4px solid var(--p-color-bg-surface)' }}
        >
          {hunk.map(({ kind, text, before, after }) => (
            <tr key={`${before}:${after}`} style={{ background: BACKGROUNDS[kind] }}>
              <td style={{ ...number, color: 'var(--p-color-text-secondary)' }}>{before ?? after}</td>
              <td style={{ ...number, textAlign: 'center' }}>
                {kind !== 'same' && (
                  <>
                    <span aria-hidden="true">{MARKS[kind]}</span>
                    <Text as="span" visuallyHidden>
                      {t(`findings.fix.diff.${kind}`)}
                    </Text>
                  </>
                )}
              </td>
              <td>
                <code style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', fontFamily: 'inherit' }}>{text}</code>
              </td>
            </tr>
          ))}
        </tbody>
      ))}
    </table>
  );
}
