import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AcceptFaults } from '../../../src/findings/accept.ts';
import { Button, FormLayout, TextField } from '../../ui/kit/components.ts';
import { useSaveBar } from '../../ui/save-bar.tsx';

/** State and callback for the acceptance form. */
export interface AcceptFormProps {
  readonly faults: AcceptFaults;
  readonly busy: boolean;
  readonly onSubmit: (fields: { reason: string; until: string }) => void;
}

/** Asks for a reason and an optional end date for accepting findings. Each error appears next to its field. */
export function AcceptForm({ faults, busy, onSubmit }: AcceptFormProps) {
  const { t } = useTranslation();
  const [reason, setReason] = useState('');
  const [until, setUntil] = useState('');
  const save = () => onSubmit({ reason, until });
  useSaveBar(reason !== '' || until !== '', {
    onSave: save,
    onDiscard: () => {
      setReason('');
      setUntil('');
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save();
  };
  return (
    <form onSubmit={submit} noValidate>
      <FormLayout>
        <TextField
          label={t('findings.accept.reason')}
          value={reason}
          onChange={setReason}
          multiline={2}
          maxLength={500}
          autoComplete="off"
          error={faults.reason && t(`findings.accept.faults.${faults.reason}`)}
        />
        <TextField
          label={t('findings.accept.until')}
          helpText={t('findings.accept.untilHelp')}
          type="date"
          value={until}
          onChange={setUntil}
          autoComplete="off"
          error={faults.until && t(`findings.accept.faults.${faults.until}`)}
        />
        <Button submit loading={busy}>
          {t('findings.accept.submit')}
        </Button>
      </FormLayout>
    </form>
  );
}
