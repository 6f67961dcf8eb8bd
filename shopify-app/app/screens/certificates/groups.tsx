import { BlockStack, Button, Card, InlineStack, Text } from '@shopify/polaris';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { Field, type FieldContext } from './field.tsx';
import { type FieldGroup, kindOf, listAt, valueAt } from './fields.ts';

/** A part of the form under its heading. */
export function Section({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  const { t } = useTranslation();
  const text = t(`certificates.about.${name}`, { defaultValue: '' });
  return (
    <Card>
      <div id={name} tabIndex={-1}>
        <BlockStack gap="300">
          <Text as="h2" variant="headingMd">
            {t(`certificates.section.${name}`)}
          </Text>
          {text && (
            <Text as="p" tone="subdued">
              {text}
            </Text>
          )}
          {children}
        </BlockStack>
      </div>
    </Card>
  );
}

/** The fields of a group at a path; those that few need behind a fold, which is open when something stands in it. */
export function Group({
  group,
  path,
  context,
}: {
  readonly group: FieldGroup;
  readonly path: string;
  readonly context: FieldContext;
}) {
  const { t } = useTranslation();
  const shown = (names: readonly string[]) => (
    <div
      style={{
        display: 'grid',
        gap: 'var(--p-space-400)',
        gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 17rem), 1fr))',
      }}
    >
      {names.map(name => (
        <div key={name} style={kindOf(name) === 'long' ? { gridColumn: '1 / -1' } : undefined}>
          <Field path={`${path}.${name}`} context={context} />
        </div>
      ))}
    </div>
  );
  return (
    <BlockStack gap="300">
      {group.fields.length > 0 && shown(group.fields)}
      {group.more.length > 0 && (
        <Fold
          title={t('certificates.more')}
          paths={group.more.map(name => `${path}.${name}`)}
          open={group.more.some(name => valueAt(context.fields, `${path}.${name}`) !== undefined)}
        >
          {() => shown(group.more)}
        </Fold>
      )}
    </BlockStack>
  );
}

/** Fields behind a fold. They are made when it is first opened; until then each has a place that can be led to. */
function Fold({
  title,
  paths,
  open,
  children,
}: {
  readonly title: string;
  readonly paths: readonly string[];
  readonly open: boolean;
  readonly children: () => ReactNode;
}) {
  const [opened, setOpened] = useState(open);
  const fold = useRef<HTMLDetailsElement>(null);
  // Who opens it before the page lives is not heard.
  useEffect(() => setOpened(before => before || fold.current!.open), []);
  return (
    // At once, so that who opened it can go on to a field.
    <details ref={fold} open={open} onToggle={() => flushSync(() => setOpened(true))}>
      <summary style={{ cursor: 'pointer', paddingBlock: 'var(--p-space-200)' }}>{title}</summary>
      {opened ? children() : paths.map(path => <span key={path} id={path} />)}
    </details>
  );
}

/** A group of which there may be several, each with a way to remove it. */
export function GroupList({
  group,
  fresh,
  context,
}: {
  readonly group: FieldGroup;
  /** What an added one begins with. */
  readonly fresh: object;
  readonly context: FieldContext;
}) {
  const { t } = useTranslation();
  const { name } = group;
  const entries = listAt(context.fields, name);
  const title = (number: number) => t(`certificates.entry.${name}`, { number });
  return (
    <Section name={name}>
      {entries.map((_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an entry has no name but its place
        <BlockStack key={index} gap="200">
          <InlineStack align="space-between" blockAlign="center">
            <Text as="h3" variant="headingSm">
              {title(index + 1)}
            </Text>
            <Button
              variant="tertiary"
              accessibilityLabel={t('certificates.removeWhat', { what: title(index + 1) })}
              onClick={() =>
                context.set(
                  name,
                  entries.filter((_, at) => at !== index),
                )
              }
            >
              {t('certificates.remove')}
            </Button>
          </InlineStack>
          <Group group={group} path={`${name}.${index}`} context={context} />
        </BlockStack>
      ))}
      <InlineStack>
        <Button onClick={() => context.set(name, [...entries, fresh])}>{t(`certificates.add.${name}`)}</Button>
      </InlineStack>
    </Section>
  );
}
