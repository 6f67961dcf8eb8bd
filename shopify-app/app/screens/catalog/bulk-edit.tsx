import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { BulkQuery, BulkResult, BulkView } from '../../../src/catalog/bulk/bulk-edit.ts';
import { bidiIsolate } from '../../i18n/bidi-isolate.ts';
import { InlineRow } from '../../ui/inline-row.tsx';
import { Banner, BlockStack, Box, Button, Card, Link, Page, Text, TextField } from '../../ui/kit/components.ts';
import { queryString } from '../../ui/query-string.ts';
import { useSaveBar } from '../../ui/save-bar.tsx';
import { Candidates } from './candidates.tsx';
import { HtsDescription } from './hts-description.tsx';
import { SaveProgress } from './save-progress.tsx';

/** Data and callback for the bulk edit page. */
export interface BulkEditProps extends BulkView {
  readonly result: BulkResult | null;
  readonly declined: boolean;
  readonly busy: boolean;
  readonly onSave: (groups: readonly { readonly key: string; readonly code: string }[]) => void;
}

/** Problems with codes, in tab order. */
const TABS: readonly BulkQuery['digits'][] = ['short', 'missing', 'invalid'];

/** Lists variants that need a code, in groups, and saves one code for all variants in a group. */
export function BulkEdit({ asked, counts, groups, next, saving, result, declined, busy, onSave }: BulkEditProps) {
  const { t } = useTranslation();
  const [codes, setCodes] = useState<Readonly<Record<string, string>>>({});
  const filled = groups.flatMap(({ key }) => (codes[key]?.trim() ? [{ key, code: codes[key] }] : []));
  const variants = groups.reduce((sum, group) => sum + (codes[group.key]?.trim() ? group.variants : 0), 0);
  const save = () => onSave(filled);
  useSaveBar(filled.length > 0, { onSave: save, onDiscard: () => setCodes({}) });
  const faults = result && 'faults' in result ? result.faults : [];
  return (
    <Page
      title={t('catalog.bulk.title')}
      subtitle={t('catalog.bulk.subtitle')}
      backAction={{ content: t('app.nav.catalog'), url: '/app/catalog' }}
      narrowWidth
    >
      <BlockStack gap="400">
        <InlineRow>
          {TABS.map(digits => (
            <Button
              key={digits}
              url={`/app/catalog/bulk?digits=${digits}`}
              variant={digits === asked.digits ? 'primary' : 'secondary'}
            >
              {t('catalog.bulk.tab', { digits: t(`catalog.digits.${digits}`), count: counts[digits] })}
            </Button>
          ))}
        </InlineRow>
        <div aria-live="polite">
          {declined && <Banner tone="warning" title={t('catalog.edit.declined')} />}
          {result && 'refused' in result && (
            <Banner tone="critical" title={t(`catalog.bulk.refused.${result.refused}`)} />
          )}
          {result && 'more' in result && result.more && <Banner tone="warning" title={t('catalog.bulk.more')} />}
          {saving && <SaveProgress saving={saving} />}
        </div>
        {groups.length === 0 && (
          <Card>
            <Text as="p">{t(`catalog.bulk.none.${asked.digits}`)}</Text>
          </Card>
        )}
        {groups.length > 0 && (
          <form
            noValidate
            onSubmit={event => {
              event.preventDefault();
              save();
            }}
          >
            <BlockStack gap="400">
              <Card padding="0">
                <ul style={{ listStyle: 'none', margin: 0, padding: 0 }}>
                  {groups.map(group => (
                    <Group
                      key={group.key}
                      group={group}
                      digits={asked.digits}
                      code={codes[group.key] ?? ''}
                      isFaulty={faults.includes(group.key)}
                      onChange={code => setCodes(previous => ({ ...previous, [group.key]: code }))}
                    />
                  ))}
                </ul>
              </Card>
              <InlineRow>
                <Button submit variant="primary" loading={busy} disabled={filled.length === 0}>
                  {variants === 0 ? t('catalog.edit.save') : t('catalog.bulk.save', { count: variants })}
                </Button>
                {next && (
                  <Button url={`/app/catalog/bulk${queryString({ ...asked, cursor: next })}`}>
                    {t('catalog.nextPage')}
                  </Button>
                )}
              </InlineRow>
            </BlockStack>
          </form>
        )}
        <InlineRow>
          <Text as="p" tone="subdued">
            {t('catalog.edit.noAdvice')}
          </Text>
        </InlineRow>
      </BlockStack>
    </Page>
  );
}

function Group({
  group: { key, code: current, productTitle, variants, products, description, below, candidates },
  digits,
  code,
  isFaulty,
  onChange,
}: {
  readonly group: BulkView['groups'][number];
  readonly digits: BulkView['asked']['digits'];
  readonly code: string;
  readonly isFaulty: boolean;
  readonly onChange: (code: string) => void;
}) {
  const { t } = useTranslation();
  const title = bidiIsolate(productTitle);
  const name = current ?? title;
  return (
    <li style={{ borderBlockEnd: '1px solid var(--p-color-border-secondary)', overflowWrap: 'anywhere' }}>
      <Box padding="400">
        <BlockStack gap="200">
          <Text as="h2" variant="headingSm">
            {name}
          </Text>
          <Text as="p" tone="subdued">
            {current === null
              ? t('catalog.bulk.variants', { count: variants })
              : t('catalog.bulk.ofProducts', {
                  count: products,
                  variants: t('catalog.bulk.variants', { count: variants }),
                  title,
                })}
          </Text>
          {description && (
            <Text as="p" tone="subdued">
              <HtsDescription rows={description} />
            </Text>
          )}
          {below.length > 0 && (
            <Text as="p" tone="subdued">
              {t('catalog.below', { code: current })} {below.join(', ')}
            </Text>
          )}
          <TextField
            label={t('catalog.bulk.code')}
            value={code}
            onChange={onChange}
            maxLength={20}
            inputMode="numeric"
            autoComplete="off"
            placeholder={current ?? undefined}
            error={isFaulty ? t('catalog.bulk.tenDigits') : undefined}
          />
          {candidates && (
            <Candidates
              candidates={candidates}
              code={digits === 'short' ? current : null}
              ofProduct={products === 1}
              onChoose={onChange}
            />
          )}
          {current !== null && (
            <Link url={`/app/catalog${queryString({ digits, text: key })}`}>{t('catalog.bulk.view', { name })}</Link>
          )}
        </BlockStack>
      </Box>
    </li>
  );
}
