import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Combobox, Listbox } from '../kit/components.ts';
import { type Country, countriesIn, countryTyped, searchCountries } from './countries.ts';

/**
 * Lets the merchant find a country by its name or code. Keeps a value that isn't a country code until the merchant
 * changes it.
 */
export function CountryPicker({
  id,
  label,
  helpText,
  value,
  error,
  onChange,
}: {
  readonly id?: string;
  readonly label: string;
  readonly helpText?: string | undefined;
  /** Country code, or an empty string. */
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (code: string) => void;
}) {
  const { t, i18n } = useTranslation();
  const [countries, setCountries] = useState<readonly Country[]>([]);
  const [typed, setTyped] = useState<string | null>(null);
  const [isOpen, setOpen] = useState(false);
  // The browser's country names can differ from the server's, so the initial render shows only the code.
  useEffect(() => setCountries(countriesIn(i18n.language)), [i18n.language]);
  const labelOf = ({ code, name }: Country) => t('app.country', { name, code });
  const chosen = countries.find(({ code }) => code === value);
  const found = isOpen ? searchCountries(countries, typed ?? '') : [];
  // Remove the options immediately. If options remained, Polaris would mark one of them as active again while the list
  // closes.
  const close = () => {
    setTyped(null);
    setOpen(false);
  };
  const choose = (code: string) => {
    onChange(code);
    close();
  };
  return (
    <Combobox
      activator={
        <Combobox.TextField
          {...(id !== undefined && { id })}
          label={label}
          helpText={helpText}
          value={typed ?? (chosen ? labelOf(chosen) : value)}
          onFocus={() => setOpen(true)}
          onChange={text => {
            setTyped(text);
            setOpen(true);
            if (text === '') onChange('');
          }}
          onBlur={() => {
            const country = typed ? countryTyped(countries, typed) : null;
            if (country) choose(country.code);
            else close();
          }}
          autoComplete="off"
          error={error}
          maxLength={60}
        />
      }
    >
      {found.length > 0 ? (
        <Listbox onSelect={choose}>
          {found.map(country => (
            <Listbox.Option key={country.code} value={country.code} selected={country.code === value}>
              {labelOf(country)}
            </Listbox.Option>
          ))}
        </Listbox>
      ) : null}
    </Combobox>
  );
}
